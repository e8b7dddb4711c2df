#include "runtime/threads/background.hpp"

#include "compiler/compiler.hpp"
#include "compiler/isolation/own_threads.hpp"
#include "runtime/support/application_code.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/timeline.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <utility>

#include <pthread.h>

namespace hostcl::runtime {

namespace {

std::atomic<Background*> current{nullptr};

/// The time for which a thread that has nothing to do looks for the next task before it sleeps.
constexpr std::uint64_t watch_ns = 50'000;
constexpr auto flush_period = std::chrono::milliseconds(1);
/// Periods without any enqueueing after which the flusher goes to sleep.
constexpr unsigned quiet_periods = 100;
/// Threads beyond the usual number.
constexpr unsigned max_extra_threads = 64;
/// The time for which exit() waits for running commands, and for which no other commands begin.
constexpr auto exit_patience = std::chrono::milliseconds(200);
constexpr auto exit_pause = std::chrono::milliseconds(300);
/// Kernels are compiled ahead if for this long no launch has run on several threads.
constexpr std::uint64_t quiet_ns = 5'000'000;
/// The periods for which fork() waits for the compiler.
constexpr auto fork_period = std::chrono::milliseconds(100);
constexpr unsigned fork_periods = 30;

std::atomic<const Background::Queues*> known_queues{nullptr};

/// Whether this is one of the threads that run commands in the background.
constinit thread_local bool runs_commands = false;

/// What the calling thread has prepared for the fork() that it is in. Others may make what there is one of meanwhile: that is
/// not among it.
struct PreparedFork {
  unsigned handlers = 0; ///< of those that do the same, because two threads registered them
  Background* background = nullptr;
  const Background::Queues* queues = nullptr;
  int cancel_state =
      0; ///< the thread's; a handler that waits or closes a file would end the thread within fork()
};
constinit thread_local PreparedFork prepared;

/// Threads that compile ahead: whoever launches the first of many kernels needs processors meanwhile.
unsigned most_ahead() {
  return std::max(1u, machine().threads / 2);
}

} // namespace

Background& Background::instance() {
  if (Background* existing = current.load(std::memory_order_acquire)) [[likely]]
    return *existing;
  static std::once_flag once;
  // If another thread forks meanwhile, the child does this once more.
  std::call_once(once, [] {
    // Before there is an object that a child could take over as it is. Registered after those of
    // held_over_fork(), and so the first that fork() calls: the forking thread does not wait for the compiler
    // while it holds such a lock. The child has none of the threads, and perhaps locks that no thread will release.
    pthread_atfork(
        [] {
          if (prepared.handlers++ > 0) return;
          pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &prepared.cancel_state);
          prepared.background = current.load(std::memory_order_acquire);
          if (prepared.background) prepared.background->before_fork();
        },
        [] {
          if (--prepared.handlers > 0) return;
          if (prepared.background) prepared.background->after_fork();
          pthread_setcancelstate(prepared.cancel_state, nullptr);
        },
        [] {
          if (--prepared.handlers > 0) return;
          if (current.load(std::memory_order_acquire)) begin_anew();
          pthread_setcancelstate(prepared.cancel_state, nullptr);
        });
    current.store(new Background, std::memory_order_release);
    // Not std::atexit(), which does nothing within the driver (icd/static_objects.cpp).
    on_exit(at_exit, nullptr);
  });
  return *current.load(std::memory_order_acquire);
}

Background::Background() : usual_threads_(std::max(2u, machine().threads)) {}

void Background::begin_anew() {
  Background& parents = *current.load(std::memory_order_acquire);
  auto* own = new Background;
  own->compiling_ = compiling_here(); // an application's callback may fork
  own->can_compile_ = parents.can_compile_ && parents.compiling_ == own->compiling_;
  current.store(own, std::memory_order_release);
  if (const Queues* queues = known_queues.load(std::memory_order_acquire)) queues->begin_anew();
}

namespace {

void* main_of_thread(void* argument) {
  const std::unique_ptr<std::function<void()>> main(static_cast<std::function<void()>*>(argument));
  ApplicationCode::note_own_thread();
  (*main)();
  return nullptr;
}

} // namespace

std::optional<pthread_t> start_thread(std::function<void()> main, std::size_t more_stack) noexcept {
  auto* own = new (std::nothrow) std::function<void()>(std::move(main));
  pthread_t thread;
  int error = ENOMEM;
  if (own) {
    std::scoped_lock others(thread_starts());
    error = hcl_new_thread(&thread, OwnAttributes(more_stack).get(), main_of_thread, own);
  }
  if (error == 0) return thread;
  delete own;
  log(LogLevel::warn, "cannot start a thread: ", std::strerror(error));
  return std::nullopt;
}

/// Starts a thread that is never joined.
bool Background::start(void (Background::*main)()) {
  const auto thread = start_thread([this, main] { (this->*main)(); });
  if (thread) pthread_detach(*thread);
  return thread.has_value();
}

void Background::post(BackgroundTask& task) {
  bool must_wait;
  {
    std::scoped_lock guard(mutex_);
    BackgroundTask** place = &first_posted_;
    while (*place && (*place)->priority_ >= task.priority_)
      place = &(*place)->next_posted_;
    task.next_posted_ = std::exchange(*place, &task);
    if (++posted_count_ > idle_) add_thread(usual_threads_);
    if (posted_count_ > watching_) posted_.notify_one();
    note_waiting();
    must_wait = posted_count_ > idle_;
  }
  if (must_wait) note_activity(); // for relieve()
}

void Background::add_thread(unsigned limit) {
  if (threads_ >= limit || !start(&Background::thread_main)) return;
  ++threads_;
  ++idle_;
}

void Background::note_waiting() {
  int priority = posted_count_ > idle_ ? static_cast<int>(first_posted_->priority_) : -1;
  waiting_.store(priority, std::memory_order_relaxed);
}

/// Called after each period: if no task was taken in it, the threads are in commands that take long, or that
/// even wait for the host or each other; one more thread takes a posted task.
void Background::relieve() {
  std::scoped_lock guard(mutex_);
  if (posted_count_ > idle_ && taken_ == taken_then_) add_thread(usual_threads_ + max_extra_threads);
  taken_then_ = taken_;
  note_waiting();
}

/// Waits until a task is posted. Commands that are enqueued one by one follow each other faster than a thread wakes
/// up, so that the first one to wait looks for a task for a while.
void Background::await_task(std::unique_lock<std::mutex>& guard) {
  if (!first_posted_ && watching_ == 0 && machine().affinity.size() > 1) {
    ++watching_;
    guard.unlock();
    const std::uint64_t end = now_ns() + watch_ns;
    while (posted_count_.load(std::memory_order_relaxed) == 0 && now_ns() < end)
      spin_hint();
    guard.lock();
    --watching_;
  }
  posted_.wait(guard, [&] { return first_posted_; });
}

void Background::thread_main() {
  runs_commands = true;
  std::unique_lock guard(mutex_);
  for (;;) {
    if (threads_ <= usual_threads_) await_task(guard);
    if (wait_during_exit(guard)) continue;
    --idle_;
    if (!first_posted_) break;
    BackgroundTask& task = *first_posted_;
    first_posted_ = task.next_posted_;
    --posted_count_;
    ++taken_;
    note_waiting();
    ++running_;
    guard.unlock();
    task.run_(task);
    guard.lock();
    ++idle_;
    note_waiting();
    note_stopped();
  }
  --threads_;
}

void Background::compile(Wish wish, std::function<void()> task) noexcept try {
  // The only thread would do nothing else meanwhile; but in the long run better code pays.
  if ((machine().threads == 1 && wish != Wish::better) || !can_compile_) return;
  std::scoped_lock guard(compilers_mutex_);
  const auto comes_after = [&](const Compilation& other) { return other.wish > wish; };
  const auto place =
      wish == Wish::launched ? compilations_.begin() : std::ranges::find_if(compilations_, comes_after);
  const auto added = compilations_.insert(place, {wish, std::move(task)});
  added_.notify_one();
  const unsigned most = wish == Wish::ahead ? most_ahead() : machine().threads;
  if (compilers_ < most && start(&Background::compiler_main)) ++compilers_;
  if (compilers_ == 0) compilations_.erase(added);
} catch (const std::exception& error) {
  log(LogLevel::info, "a kernel could not be compiled in the background: ", error.what());
}

void Background::compiler_main() {
  std::unique_lock guard(compilers_mutex_);
  while (!compilations_.empty()) {
    const bool is_ahead = compilations_.front().wish == Wish::ahead;
    if (is_ahead && ahead_ >= most_ahead()) break; // the threads that compile ahead go on with it
    ahead_ += is_ahead;
    if (is_ahead && serial_ns() < quiet_ns) {
      added_.wait_for(guard, std::chrono::nanoseconds(quiet_ns));
    } else {
      const Compilation next = std::move(compilations_.front());
      compilations_.pop_front();
      guard.unlock();
      try {
        const Compiling compiling;
        next.task();
      } catch (const std::bad_alloc&) {
        log(LogLevel::info, "a kernel could not be compiled in the background: out of memory");
      }
      guard.lock();
    }
    ahead_ -= is_ahead;
  }
  --compilers_;
}

void Background::note_stopped() {
  --running_;
  if (exiting_) stopped_.notify_all();
}

void Background::begin_compiling() {
  std::unique_lock guard(mutex_);
  if (runs_commands) note_stopped();
  forked_.wait(guard, [&] { return forks_ == 0; });
  ++compiling_;
}

void Background::end_compiling() {
  std::unique_lock guard(mutex_);
  --compiling_;
  if (forks_ > 0) compiled_.notify_all();
  if (!runs_commands) return;
  while (wait_during_exit(guard)) // the command that this thread compiled for does not begin either
    continue;
  ++running_;
}

// ---- Exit

/// Threads that compile or run kernels go on until the process ends. Only files must not be left half
/// written.
void Background::at_exit(int, void*) {
  const CancellationDelay uncancelled;
  instance().pause_for_exit();
  const auto deadline = std::chrono::steady_clock::now() + exit_patience;
  if (instance().can_compile()) compiler::close_cache(deadline);
  timeline::close_to_other_threads(deadline);
}

/// Static objects of the application may free memory that kernels use, so none should run. Others may wait
/// for commands that were enqueued before, or for their callbacks, so the pause is short.
void Background::pause_for_exit() {
  const auto now = std::chrono::steady_clock::now();
  std::unique_lock guard(mutex_);
  exiting_ = true;
  pause_end_ = now + exit_pause;
  // A callback of the application may call exit() on such a thread.
  const unsigned own = runs_commands && !compiling_here();
  stopped_.wait_until(guard, now + exit_patience, [&] { return running_ <= own; });
}

/// @returns whether there was a pause, during which the mutex was free
bool Background::wait_during_exit(std::unique_lock<std::mutex>& guard) {
  if (!exiting_ || std::chrono::steady_clock::now() >= pause_end_) return false;
  stopped_.wait_until(guard, pause_end_);
  return true;
}

void Background::wait_during_exit() {
  std::unique_lock guard(mutex_);
  while (wait_during_exit(guard))
    continue;
}

// ---- fork()

void Background::before_fork() {
  {
    std::unique_lock guard(mutex_);
    ++forks_;
    auto is_compiled = [&] { return compiling_ == compiling_here(); };
    // Waits in short periods, so that a time in which the process was stopped uses up only one of them.
    for (unsigned period = 0; period < fork_periods && !is_compiled(); ++period)
      compiled_.wait_for(guard, fork_period, is_compiled);
  }
  // Last: the locks of queues are not held while the compiler is waited for.
  prepared.queues = known_queues.load(std::memory_order_acquire);
  if (prepared.queues) prepared.queues->before_fork();
}

void Background::after_fork() {
  if (prepared.queues) prepared.queues->after_fork();
  std::scoped_lock guard(mutex_);
  if (--forks_ == 0) forked_.notify_all();
}

// ---- The flusher

void Background::set_queues(const Queues& queues) {
  known_queues.store(&queues, std::memory_order_release);
}

void Background::publish_all() {
  if (const Queues* queues = known_queues.load(std::memory_order_acquire)) queues->publish();
}

bool Background::any_unpublished() {
  const Queues* queues = known_queues.load(std::memory_order_acquire);
  return queues && queues->any_unpublished();
}

void Background::wake_flusher() {
  std::scoped_lock guard(flusher_mutex_);
  flusher_awake_.store(true, std::memory_order_relaxed);
  if (!flusher_started_)
    flusher_started_ = start(&Background::flusher_main);
  else
    flusher_wake_.notify_one();
}

void Background::flusher_main() {
  for (unsigned quiet = 0;;) {
    std::this_thread::sleep_for(flush_period);
    publish_all();
    relieve();
    quiet = recent_activity_.exchange(false, std::memory_order_relaxed) ? 0 : quiet + 1;
    if (quiet < quiet_periods) continue;
    quiet = 0;
    flusher_awake_.store(false, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst); // see note_activity()
    if (any_unpublished() || waiting_.load(std::memory_order_relaxed) >= 0) {
      flusher_awake_.store(true, std::memory_order_relaxed);
      continue;
    }
    std::unique_lock guard(flusher_mutex_);
    flusher_wake_.wait(guard, [&] { return flusher_awake_.load(std::memory_order_relaxed); });
  }
}

} // namespace hostcl::runtime

#include "runtime/threads/background.hpp"

#include "compiler/compiler.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/lock.hpp"
#include "runtime/support/log.hpp"
#include "runtime/threads/machine.hpp"
#include "runtime/threads/start_thread.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <thread>
#include <utility>

#include <pthread.h>

namespace hostcl::runtime {

namespace {

std::atomic<Background*> current{nullptr};

/// How long an idle thread spins for the next task before it sleeps.
constexpr std::uint64_t watch_ns = 50'000;
/// The most background threads that are started beyond usual_threads_.
constexpr unsigned max_extra_threads = 64;
/// exit() waits up to exit_patience for running commands to end. No other command begins during exit_pause.
constexpr auto exit_patience = std::chrono::milliseconds(200);
constexpr auto exit_pause = std::chrono::milliseconds(300);
/// Kernels are compiled ahead only if no launch has run on several threads during the last `quiet_ns` nanoseconds.
constexpr std::uint64_t quiet_ns = 5'000'000;
/// While at least this many compilations wait, new compilations with the reason `ahead` are dropped.
constexpr std::size_t most_waiting = 64;
/// fork() waits up to fork_periods periods for threads that compile.
constexpr auto fork_period = std::chrono::milliseconds(100);
constexpr unsigned fork_periods = 30;

std::atomic<const Background::Queues*> known_queues{nullptr};

/// Whether the calling thread is a background thread.
constinit thread_local bool runs_commands = false;

/// State that this thread's `pthread_atfork` prepare handler acquired, to be released by the parent or child
/// handler. Singletons that other threads create in between are not part of it.
struct PreparedFork {
  /// Depth of handlers: they may be registered twice, if a fork() interrupts the registration. Only the outermost acts.
  unsigned handlers = 0;
  Background* background = nullptr;
  const Background::Queues* queues = nullptr;
  /// Cancel state of the thread; cancellation is disabled because a handler that waits or closes a file is a
  /// cancellation point, and would end the thread within fork().
  int cancel_state = 0;
};
constinit thread_local PreparedFork prepared;

/// At most half of the machine's threads compile ahead, because the application launches kernels at the same time.
unsigned most_ahead() {
  return std::max(1u, machine().threads / 2);
}

} // namespace

Background& Background::instance() {
  if (Background* existing = current.load(std::memory_order_acquire)) [[likely]]
    return *existing;
  static std::once_flag once;
  // If another thread forks while this runs, the once_flag of the child stays unset, and the child runs it again.
  std::call_once(once, [] {
    // The handlers are registered before the object exists, because begin_anew() must replace the object in a child,
    // which has none of its threads, and no thread that releases its locks. The handlers are registered after those of
    // held_over_fork() (runtime/support/lock.hpp), which acquire locks of the process. Prepare handlers run in reverse
    // order, so the thread that forks does not hold those locks yet while it waits for the compiler.
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
    // Not std::atexit(): see icd/static_objects.cpp, which makes that function do nothing in the driver.
    on_exit(at_exit, nullptr);
  });
  return *current.load(std::memory_order_acquire);
}

Background::Background() : usual_threads_(std::max(2u, machine().threads)) {}

void Background::begin_anew() {
  Background& parents = *current.load(std::memory_order_acquire);
  auto* own = new Background;
  own->compiling_ = compiling_here(); // the thread that forks may be compiling, and goes on in the child
  own->can_compile_ = parents.can_compile_ && parents.compiling_ == own->compiling_;
  current.store(own, std::memory_order_release);
  if (const Queues* queues = known_queues.load(std::memory_order_acquire)) queues->begin_anew();
}

/// Starts a thread that is never joined.
bool Background::start(void (Background::*main)()) noexcept {
  const auto thread = start_thread([this, main] { (this->*main)(); });
  if (thread) pthread_detach(*thread);
  return thread.has_value();
}

void Background::post(BackgroundTask& task) noexcept {
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

/// Called by the flusher after each period. If a task is posted but none was taken in the period, all threads are in
/// long commands, or in commands that wait for the host or for each other; one more thread is started.
void Background::relieve() {
  std::scoped_lock guard(mutex_);
  if (posted_count_ > idle_ && taken_ == taken_then_) add_thread(usual_threads_ + max_extra_threads);
  taken_then_ = taken_;
  note_waiting();
}

/// Waits until a task is posted. An application that enqueues commands one by one posts the next task sooner
/// than a sleeping thread wakes up. For that reason one idle thread spins for watch_ns before it sleeps.
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

void Background::compile(Reason reason, std::function<void()> task) noexcept try {
  // With one thread, compiling in the background would delay the launch itself; only tier 1 code is worth that.
  if ((machine().threads == 1 && reason != Reason::tier1) || !can_compile_) return;
  std::scoped_lock guard(compilers_mutex_);
  if (reason == Reason::ahead && compilations_.size() >= most_waiting) return;
  const auto comes_after = [&](const Compilation& other) { return other.reason > reason; };
  const auto place =
      reason == Reason::launched ? compilations_.begin() : std::ranges::find_if(compilations_, comes_after);
  const auto added = compilations_.insert(place, {reason, std::move(task)});
  added_.notify_one();
  add_compiler();
  if (compilers_ == 0) compilations_.erase(added);
} catch (const std::exception& error) {
  log(LogLevel::info, "a kernel could not be compiled in the background: ", error.what());
}

/// Starts a thread if the first compilation that waits needs one.
void Background::add_compiler() {
  if (compilations_.empty()) return;
  const bool is_ahead = compilations_.front().reason == Reason::ahead;
  const unsigned most = is_ahead ? most_ahead() : machine().threads;
  if (compilers_ < most && !(is_ahead && awaits_quiet_) && start(&Background::compiler_main)) ++compilers_;
}

void Background::compiler_main() {
  std::unique_lock guard(compilers_mutex_);
  while (!compilations_.empty()) {
    const bool is_ahead = compilations_.front().reason == Reason::ahead;
    if (is_ahead && (ahead_ >= most_ahead() || awaits_quiet_)) break; // others will compile it
    if (is_ahead && serial_ns() < quiet_ns) {
      awaits_quiet_ = true;
      added_.wait_for(guard, std::chrono::nanoseconds(quiet_ns));
      awaits_quiet_ = false;
      continue;
    }
    Compilation next = std::move(compilations_.front());
    compilations_.pop_front();
    ahead_ += is_ahead;
    add_compiler();
    guard.unlock();
    {
      const Compiling compiling;
      const std::function<void()> task =
          std::exchange(next.task, nullptr); // destroyed before fork() may go on
      try {
        task();
      } catch (const std::bad_alloc&) {
        log(LogLevel::info, "no memory for compiling a kernel in the background");
      }
    }
    guard.lock();
    ahead_ -= is_ahead;
  }
  --compilers_;
}

bool Background::run_at(std::chrono::steady_clock::time_point time, std::function<void()> task) {
  std::scoped_lock guard(timed_mutex_);
  has_timer_ = has_timer_ || start(&Background::timer_main);
  if (!has_timer_) return false;
  timed_.emplace(time, std::move(task));
  timed_added_.notify_one();
  return true;
}

void Background::timer_main() {
  std::unique_lock guard(timed_mutex_);
  for (;;) {
    timed_added_.wait(guard, [&] { return !timed_.empty(); });
    const auto time = timed_.begin()->first;
    if (std::chrono::steady_clock::now() < time) {
      timed_added_.wait_until(guard, time);
      continue;
    }
    auto next = timed_.extract(timed_.begin());
    guard.unlock();
    next.mapped()();
    next = {}; // what the task holds is released without the lock
    guard.lock();
  }
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
  // The command that this thread compiled for must not begin in the pause either.
  while (wait_during_exit(guard))
    continue;
  ++running_;
}

// ---- Exit

/// Called by exit(). Keeps new commands from beginning for a short time (pause_for_exit()), and closes the disk cache
/// so that no file of the cache is left half written. Threads that compile or run kernels are not stopped.
void Background::at_exit(int, void*) {
  const CancellationDelay uncancelled;
  instance().pause_for_exit();
  if (instance().can_compile()) compiler::close_cache(std::chrono::steady_clock::now() + exit_patience);
}

/// After exit() the destructors of the application's static objects may free memory that kernels use, so no
/// kernel should run. But such a destructor may also wait for commands that were enqueued before exit(), or
/// for their callbacks, so the pause is short.
void Background::pause_for_exit() {
  const auto now = std::chrono::steady_clock::now();
  std::unique_lock guard(mutex_);
  exiting_ = true;
  pause_end_ = now + exit_pause;
  // A callback of the application may call exit() on a background thread, which then counts as running itself.
  const unsigned own = runs_commands && !compiling_here();
  stopped_.wait_until(guard, now + exit_patience, [&] { return running_ <= own; });
}

/// @returns whether it paused; the mutex was released during the pause
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
    // The wait is divided into short periods: if the process is stopped (SIGSTOP), only one of them is used up.
    for (unsigned period = 0; period < fork_periods && !is_compiled(); ++period)
      compiled_.wait_for(guard, fork_period, is_compiled);
  }
  // The queues' locks are taken last, so that no thread waits for them while fork() waits for the compiler.
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

bool Background::wake_flusher() {
  return flusher_.wake([this] { return start(&Background::flusher_main); });
}

void Background::flusher_main() {
  for (;;) {
    std::this_thread::sleep_for(flush_period);
    publish_all();
    relieve();
    flusher_.end_period(
        [this] { return any_unpublished() || waiting_.load(std::memory_order_relaxed) >= 0; });
  }
}

} // namespace hostcl::runtime

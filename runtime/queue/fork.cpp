// What a child of fork() takes over (docs/fork.md): queues without commands. Threads of the parent go on with the
// others' commands, and the child has none of these threads.

#include "runtime/queue/background.hpp"
#include "runtime/queue/queue.hpp"
#include "runtime/support/cancellation.hpp"

#include <chrono>
#include <thread>

namespace hostcl::runtime {

namespace {

using Clock = std::chrono::steady_clock;

/// The periods for which fork() waits for the compiler.
constexpr auto compiler_period = std::chrono::milliseconds(100);
constexpr unsigned compiler_periods = 30;
/// The time for which fork() waits for queues in all: their locks are held for less than a microsecond, but a thread
/// that holds one may wait for the allocator, whose locks fork() may have taken already.
constexpr auto queue_patience = std::chrono::milliseconds(100);
constexpr auto queue_period = std::chrono::microseconds(50);

/// Whether the calling thread, which forks, holds the list of known queues.
constinit thread_local bool holds_queues = false;

bool lock_until(Lock& lock, Clock::time_point deadline) {
  while (!lock.try_lock()) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(queue_period);
  }
  return true;
}

} // namespace

// ---- The parent

void Background::before_fork() {
  const CancellationDelay uncancelled;
  {
    std::unique_lock guard(mutex_);
    ++forks_;
    auto is_compiled = [&] { return compiling_ == compiling_here(); };
    // In periods, of which a time in which the whole process was stopped is only one.
    for (unsigned period = 0; period < compiler_periods && !is_compiled(); ++period)
      compiled_.wait_for(guard, compiler_period, is_compiled);
  }
  const auto deadline = Clock::now() + queue_patience;
  holds_queues = lock_until(known_lock_, deadline);
  for (Queue* q = holds_queues ? known_ : nullptr; q; q = q->next_known_)
    q->hold(deadline);
}

void Background::after_fork() {
  for (Queue* q = holds_queues ? known_ : nullptr; q; q = q->next_known_)
    q->let_go();
  if (holds_queues) known_lock_.unlock();
  std::scoped_lock guard(mutex_);
  if (--forks_ == 0) forked_.notify_all();
}

/// Whether all commands of the queue have ended for the application, which sees their events: the thread that ran them
/// is about to take them out.
bool Queue::has_only_ended() const {
  const auto has_ended = [](const Command& c) { return c.event && c.event->is_done(); };
  if (is_in_order()) return tail_ && has_ended(*tail_);
  for (const Command* c = tail_; c; c = c->previous)
    if (!has_ended(*c)) return false;
  return tail_ != nullptr;
}

/// Takes the lock of a queue, so that the child does not find it half changed.
void Queue::hold(std::chrono::steady_clock::time_point deadline) {
  // The thread that forks in a callback cannot wait for itself.
  const bool may_wait = !innermost_batch();
  for (;;) {
    is_held_ = lock_until(lock_, deadline);
    if (!is_held_ || !may_wait || !has_only_ended() || Clock::now() >= deadline) return;
    let_go();
    std::this_thread::sleep_for(queue_period);
  }
}

void Queue::let_go() {
  if (std::exchange(is_held_, false)) lock_.unlock();
}

// ---- The child

void Background::take_over_queues(Background& parents) {
  Queue* next = holds_queues ? parents.known_ : nullptr;
  while (Queue* queue = next) {
    next = queue->next_known_;
    queue->next_known_ = queue->previous_known_ = nullptr;
    if (queue->begin_anew()) add(*queue);
    queue->let_go();
  }
}

/// @returns whether the queue is one of the child's from now on. Otherwise no call takes it, nor the events of its
/// commands, which will never end here.
bool Queue::begin_anew() {
  posted_ = false;
  executors_ = 0;
  waiters_ = nullptr;
  if (is_held_ && !head_) return true;
  for (Command* c = is_held_ ? head_ : nullptr; c; c = c->next)
    if (c->event) c->event->invalidate();
  invalidate();
  return false;
}

} // namespace hostcl::runtime

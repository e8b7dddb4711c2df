// What fork() does with one queue (known_queues.cpp, docs/fork.md).

#include "runtime/queue/queue.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace hostcl::runtime {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto lock_period = std::chrono::microseconds(50);

} // namespace

// ---- The parent

bool Queue::lock_until(Lock& lock, std::chrono::steady_clock::time_point deadline) {
  while (!lock.try_lock()) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(lock_period);
  }
  return true;
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
    std::this_thread::sleep_for(lock_period);
  }
}

void Queue::let_go() {
  if (std::exchange(is_held_, false)) lock_.unlock();
}

// ---- The child

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

// Part of queue.hpp: what fork() does with one queue. known_queues.cpp calls it; docs/fork.md describes the
// whole.

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

/// Whether the application can see by events that all commands of the queue have ended, although the thread
/// that ran them has not yet removed them from the queue.
bool Queue::has_only_ended() const {
  const auto has_ended = [](const Command& c) { return c.event && c.event->is_done(); };
  if (is_in_order()) return tail_ && has_ended(*tail_);
  for (const Command* c = tail_; c; c = c->previous)
    if (!has_ended(*c)) return false;
  return tail_ != nullptr;
}

/// Acquires the lock of the queue before fork(), so that the child does not find the queue in the middle of a
/// change.
void Queue::hold(std::chrono::steady_clock::time_point deadline) {
  // A thread that forks in a callback of a command cannot wait until that command is removed.
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

/// @returns whether the child can use the queue. Otherwise calls in the child refuse the queue, and also the
/// events of its commands, which never end in the child.
bool Queue::begin_anew() {
  posted_ = false;
  executors_ = 0;
  waiters_ = nullptr;
  // The flusher that was told of unpublished commands, which may have ended by now, is in the parent.
  has_unpublished_.store(false, std::memory_order_relaxed);
  if (is_held_ && !head_) return true;
  for (Command* c = is_held_ ? head_ : nullptr; c; c = c->next)
    if (c->event) c->event->invalidate();
  invalidate();
  return false;
}

} // namespace hostcl::runtime

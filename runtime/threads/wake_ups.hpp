#pragma once

// How a thread sleeps until state that a lock guards has changed. Unlike with std::condition_variable, the thread does not
// take the lock while it sleeps, and the lock may be of any type.

#include <atomic>
#include <cstdint>

namespace hostcl::runtime {

/// Counts wake-ups. A thread that finds nothing to do reads number() with the lock held, releases the lock, and sleeps
/// until another thread has called wake_one() or wake_all() with the lock held. The lock orders all other memory accesses,
/// so sleep() orders none.
class WakeUps {
public:
  std::uint32_t number() const { return count_.load(std::memory_order_relaxed); }
  /// Returns once the count is not `number`. Called without the lock, which the caller acquires again afterwards.
  void sleep(std::uint32_t number) const { count_.wait(number, std::memory_order_relaxed); }
  void wake_one() {
    change();
    count_.notify_one();
  }
  void wake_all() {
    change();
    count_.notify_all();
  }

private:
  // Not relaxed: after this change, notify_one() of libstdc++ reads whether a thread sleeps. On arm64, the CPU could
  // perform this read before a relaxed change, and then a thread that goes to sleep in between would not be woken.
  void change() { count_.fetch_add(1, std::memory_order_release); }

  std::atomic<std::uint32_t> count_{0};
};

} // namespace hostcl::runtime

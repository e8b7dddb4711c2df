#pragma once

// When the flusher (background.hpp) sleeps, and what wakes it. The flusher's thread is started when it is first needed.

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace hostcl::runtime {

/// Whether the flusher is awake. Invariant: if there is work for the flusher, the flusher is awake or is being woken.
class FlusherSleep {
public:
  /// @param quiet_periods the flusher sleeps after this number of periods in which there was no activity
  explicit FlusherSleep(unsigned quiet_periods) : quiet_periods_(quiet_periods) {}

  /// Called after work for the flusher has been made. Any thread may call this function.
  /// @returns whether the caller has to call wake()
  bool note_activity() {
    if (!recent_activity_.load(std::memory_order_relaxed))
      recent_activity_.store(true, std::memory_order_relaxed);
    // Pairs with the fence in end_period(). Either the flusher sees the work, or this thread sees that the flusher has
    // gone to sleep.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return !is_awake_.load(std::memory_order_relaxed);
  }

  /// @param start starts the flusher's thread, and returns whether it could; not called any more once it has returned true
  /// @returns whether the flusher's thread has been started
  template <class Start>
  bool wake(Start start) {
    std::scoped_lock guard(mutex_);
    is_awake_.store(true, std::memory_order_relaxed);
    if (is_started()) {
      wake_.notify_one();
      return true;
    }
    const bool starts = start();
    is_started_.store(starts, std::memory_order_relaxed);
    if (!starts) is_awake_.store(false, std::memory_order_relaxed); // the next activity tries again
    return starts;
  }

  bool is_started() const { return is_started_.load(std::memory_order_relaxed); }

  /// Called by the flusher at the end of each period. Sleeps if there has been no activity for long.
  /// @param has_work whether there is work for the flusher
  template <class HasWork>
  void end_period(HasWork has_work) {
    quiet_ = recent_activity_.exchange(false, std::memory_order_relaxed) ? 0 : quiet_ + 1;
    if (quiet_ < quiet_periods_) return;
    quiet_ = 0;
    is_awake_.store(false, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst); // see note_activity()
    if (has_work()) {
      is_awake_.store(true, std::memory_order_relaxed);
      return;
    }
    std::unique_lock guard(mutex_);
    wake_.wait(guard, [&] { return is_awake_.load(std::memory_order_relaxed); });
  }

private:
  const unsigned quiet_periods_;
  unsigned quiet_ = 0; ///< periods without activity, for the flusher alone
  std::atomic<bool> is_awake_{false};
  std::atomic<bool> recent_activity_{false};
  std::mutex
      mutex_; ///< guards changes of is_started_, and changes of is_awake_ to true by other threads than the flusher
  std::condition_variable wake_;
  std::atomic<bool> is_started_{false}; ///< written with the mutex
};

} // namespace hostcl::runtime

#pragma once

// A lock for critical sections of a few dozen instructions, and the CPU's spin hint.

#include <atomic>
#include <cstdint>

#include <pthread.h>

namespace hostcl::runtime {

inline void spin_hint() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// A mutex that spins for about a microsecond before it sleeps. The critical sections are shorter than a futex call,
/// and a thread that enqueues a command should not pay for a system call because another thread is just completing a
/// command.
class Lock {
public:
  void lock() {
    std::uint32_t expected = free;
    if (state_.compare_exchange_strong(expected, held, std::memory_order_acquire)) return;
    lock_contended();
  }
  bool try_lock() {
    std::uint32_t expected = free;
    return state_.compare_exchange_strong(expected, held, std::memory_order_acquire);
  }
  void unlock() {
    if (state_.exchange(free, std::memory_order_release) == held_with_sleepers) state_.notify_one();
  }

private:
  static constexpr std::uint32_t free = 0, held = 1, held_with_sleepers = 2;

  void lock_contended() {
    for (int spins = 0; spins < 60; ++spins) {
      std::uint32_t expected = free;
      if (state_.load(std::memory_order_relaxed) == free &&
          state_.compare_exchange_weak(expected, held, std::memory_order_acquire))
        return;
      spin_hint();
    }
    // Invariant: a thread that may be asleep has stored held_with_sleepers, so that unlock() wakes it.
    while (state_.exchange(held_with_sleepers, std::memory_order_acquire) != free)
      state_.wait(held_with_sleepers, std::memory_order_relaxed);
  }

  std::atomic<std::uint32_t> state_{free};
};

/// Makes fork() acquire the lock that `get` returns, and release it in both processes. Otherwise, a child of fork()
/// could wait for ever for a lock that another thread of the parent held. For locks of which the process has only one,
/// and which are acquired alone or after all other locks. Must be called when the driver is loaded.
/// @param forget called in the child with the lock held: removes what only threads of the parent would end
template <auto get, void (*forget)() = [] {}>
bool held_over_fork() noexcept {
  const auto begin_child = [] {
    forget();
    get().unlock();
  };
  return pthread_atfork([] { get().lock(); }, [] { get().unlock(); }, begin_child) == 0;
}

} // namespace hostcl::runtime

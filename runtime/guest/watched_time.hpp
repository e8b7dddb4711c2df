#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace hostcl::runtime::guest {

/// The time during which threads of this process watched a guest. Threads that wait for a guest look every 10 ms. If
/// more than `most_ns` lie between two looks, this process or the machine stood still, and no more than `most_ns` are
/// counted. A kernel therefore keeps its time limit after a pause of the machine, in which the kernel did not run.
class WatchedTime {
public:
  static constexpr std::uint64_t most_ns = 50'000'000;

  /// Called at each look.
  /// @param now_ns the time of a steady clock
  /// @returns the watched time until now, in nanoseconds
  std::uint64_t at(std::uint64_t now_ns) {
    // Each period is counted by the one thread that replaces its beginning.
    std::uint64_t begin = last_.load(std::memory_order_relaxed);
    while (begin < now_ns && !last_.compare_exchange_weak(begin, now_ns, std::memory_order_relaxed))
      ;
    const std::uint64_t period = begin < now_ns ? std::min(now_ns - begin, most_ns) : 0;
    return sum_.fetch_add(period, std::memory_order_relaxed) + period;
  }

private:
  std::atomic<std::uint64_t> last_ = 0, sum_ = 0;
};

} // namespace hostcl::runtime::guest

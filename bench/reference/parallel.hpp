#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace bench::reference {

/// Calls work(first, last) for ranges of at most `grain` that cover [0, count), on all cores. Plain threads:
/// a library's thread pool in this process could be another version of the one that a driver brings.
template <class Work>
void parallel_for(std::size_t count, std::size_t grain, Work&& work) {
  std::atomic<std::size_t> next = 0;
  const auto take_ranges = [&] {
    for (;;) {
      const std::size_t first = next.fetch_add(grain, std::memory_order_relaxed);
      if (first >= count) return;
      work(first, std::min(count, first + grain));
    }
  };
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i)
    helpers.emplace_back(take_ranges);
  take_ranges();
}

} // namespace bench::reference

#pragma once

// Work on all hardware threads.

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace maths {

inline std::size_t slice_count() {
  return std::max(1u, std::thread::hardware_concurrency());
}

/// Calls work(begin, end, slice) at the same time for slice_count() consecutive parts of [0, count).
template <class Work>
void in_parallel(std::size_t count, Work work) {
  const std::size_t slices = slice_count();
  std::vector<std::jthread> threads;
  for (std::size_t slice = 1; slice < slices; ++slice)
    threads.emplace_back(work, count * slice / slices, count * (slice + 1) / slices, slice);
  work(std::size_t{0}, count / slices, std::size_t{0});
}

} // namespace maths

#pragma once

#include <cstddef>
#include <thread>
#include <vector>

namespace maths {

/// Calls work(begin, end, slice) for consecutive parts of [0, count), one for each hardware thread, at the same time.
template <class Work>
void in_parallel(std::size_t count, Work work) {
  const std::size_t slices = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (std::size_t slice = 1; slice < slices; ++slice)
    threads.emplace_back(work, count * slice / slices, count * (slice + 1) / slices, slice);
  work(std::size_t{0}, count / slices, std::size_t{0});
}

inline std::size_t slice_count() {
  return std::max(1u, std::thread::hardware_concurrency());
}

} // namespace maths

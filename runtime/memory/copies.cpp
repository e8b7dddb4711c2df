#include "runtime/memory/copies.hpp"

#include "runtime/threads/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hostcl::runtime {

namespace {

// A single thread does not use the whole memory bandwidth of the machine. Below this size, other threads
// would wake up too late to help.
constexpr std::size_t parallel_copy_bytes = 2 << 20;
constexpr std::size_t copy_grain = 512 << 10;

} // namespace

void copy_bytes(Workers& workers, void* to, const void* from, std::size_t bytes) {
  auto* target = static_cast<std::byte*>(to);
  auto* source = static_cast<const std::byte*>(from);
  if (target == source || bytes == 0) return;
  if (bytes < parallel_copy_bytes) {
    std::memcpy(target, source, bytes);
    return;
  }
  auto body = [&](std::uint64_t first, std::uint64_t last) {
    std::memcpy(target + first, source + first, last - first);
  };
  workers.for_ranges(0, bytes, copy_grain, body);
}

void fill_bytes(Workers& workers, void* to, const void* pattern, std::size_t pattern_bytes,
                std::size_t bytes) {
  auto* target = static_cast<std::byte*>(to);
  if (bytes == 0) return;
  // If all bytes of the pattern are equal, such as zeros, memset() fills the memory, and does not read it
  // first.
  if (std::memcmp(pattern, static_cast<const std::byte*>(pattern) + 1, pattern_bytes - 1) == 0)
    pattern_bytes = 1;
  auto fill = [&](std::uint64_t first, std::uint64_t last) {
    std::byte* begin = target + first * pattern_bytes;
    std::size_t size = (last - first) * pattern_bytes;
    if (pattern_bytes == 1) {
      std::memset(begin, *static_cast<const unsigned char*>(pattern), size);
      return;
    }
    // Copies the part that has been written to the part after it, in doubling sizes that stay in the
    // first-level cache.
    std::size_t done = std::min(size, pattern_bytes);
    std::memcpy(begin, pattern, done);
    while (done < size) {
      std::size_t step = std::min({size - done, done, std::size_t{16} << 10});
      step -= step % pattern_bytes;
      std::memcpy(begin + done, begin, step);
      done += step;
    }
  };
  std::uint64_t count = bytes / pattern_bytes;
  if (bytes < parallel_copy_bytes)
    fill(0, count);
  else
    workers.for_ranges(0, count, copy_grain / pattern_bytes, fill);
}

} // namespace hostcl::runtime

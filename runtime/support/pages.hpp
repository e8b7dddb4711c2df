#pragma once

// The system's pages, which have 4, 16 or 64 KB. Calls on memory of which a part lies in the neighbour's page take that
// page whole, so madvise() and mmap() over memory get its whole pages alone.
// Test: runtime/tests/pages.cpp

#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

/// The fewest that a page has.
inline constexpr std::size_t least_page_bytes = 4096;

std::size_t page_bytes();

/// What there is of whole pages in a range of memory.
struct WholePages {
  std::size_t before = 0; ///< bytes of the range in front of them, all where there is no whole page
  std::size_t bytes = 0;
};

/// @param page bytes of a page, a power of two
constexpr WholePages whole_pages(std::uintptr_t first, std::size_t bytes, std::size_t page) {
  const std::size_t before = -first % page;
  if (before >= bytes) return {bytes, 0};
  return {before, (bytes - before) / page * page};
}

} // namespace hostcl::runtime

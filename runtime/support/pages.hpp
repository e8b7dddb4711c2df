#pragma once

// Pages of memory, which have 4, 16 or 64 KB, depending on the system, and the size of the address space, which depends
// on the system as well. Calls such as madvise() and mmap() affect whole pages only, also the bytes of a page that lie
// outside of the given range. So the driver calls them with the whole pages within a range of memory (whole_pages()).
// Test: runtime/tests/pages.cpp

#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

/// The smallest size of a page.
inline constexpr std::size_t least_page_bytes = 4096;

std::size_t page_bytes();

/// The number of bits of addresses: Linux places all memory of the process below 1 << address_bits(). 47 on x86-64; on
/// AArch64, 36 to 48, depending on how Linux was configured. Linux places a mapping above
/// this limit only if the process asks for such an address (up to 57 bits on x86-64, 52 on AArch64).
unsigned address_bits();

/// The whole pages within a range of memory.
struct WholePages {
  std::size_t before = 0; ///< bytes before the first whole page; the whole range if there is none
  std::size_t bytes = 0;  ///< of the whole pages
};

/// @param page bytes of a page, a power of two
constexpr WholePages whole_pages(std::uintptr_t first, std::size_t bytes, std::size_t page) {
  const std::size_t before = -first % page;
  if (before >= bytes) return {bytes, 0};
  return {before, (bytes - before) / page * page};
}

} // namespace hostcl::runtime

// Pages of memory and the size of the address space; blocks of memory; the whole pages within a range of memory, for all
// sizes of pages that Linux has.

#include "runtime/memory/pages.hpp"
#include "runtime/support/pages.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <random>
#include <string>

#include <malloc.h>
#include <sys/auxv.h>

using namespace hostcl::runtime;

TEST_CASE("the pages are those of the system", "[pages]") {
  CHECK(page_bytes() == getauxval(AT_PAGESZ));
  CHECK(page_bytes() % least_page_bytes == 0);
}

TEST_CASE("the highest mapping of the process has an address of as many bits as there are", "[pages]") {
  std::ifstream maps("/proc/self/maps");
  std::uintptr_t highest = 0;
  for (std::string line; std::getline(maps, line);)
    if (!line.ends_with("[vsyscall]"))
      highest = std::max(highest, std::uintptr_t{std::stoull(line, nullptr, 16)});
  CAPTURE(highest);
  CHECK(std::bit_width(highest) == address_bits());
}

TEST_CASE("small blocks take no more memory where pages are larger, large blocks consist of pages",
          "[pages]") {
  std::byte* const small = allocate_pages(64, 1);
  CHECK(malloc_usable_size(small) < 2 * least_page_bytes);
  free_pages(small);
  for (const std::size_t bytes : {std::size_t{1} << 20, (std::size_t{8} << 20) + 1}) {
    std::byte* const large = allocate_pages(bytes, 1);
    REQUIRE(large);
    CHECK(std::bit_cast<std::uintptr_t>(large) % page_bytes() == 0);
    free_pages(large);
  }
}

TEST_CASE("whole pages lie within the range, and all that do", "[pages]") {
  std::mt19937_64 random(1);
  for (const std::size_t page : {std::size_t{4} << 10, std::size_t{16} << 10, std::size_t{64} << 10}) {
    std::uniform_int_distribution<std::uintptr_t> firsts(page, 8 * page);
    std::uniform_int_distribution<std::size_t> lengths(0, 6 * page);
    for (int i = 0; i < 10'000; ++i) {
      // Half of the ranges begin with a page, as blocks of memory do, and the other half end with one.
      const std::uintptr_t first = i % 2 ? firsts(random) : firsts(random) / page * page;
      const std::size_t bytes = i % 2 ? page * 7 - first % page : lengths(random);
      const auto [before, whole] = whole_pages(first, bytes, page);
      CAPTURE(page, first, bytes, before, whole);
      REQUIRE(before + whole <= bytes); // no byte outside of the range
      REQUIRE(whole % page == 0);
      if (whole) {
        REQUIRE((first + before) % page == 0);
        REQUIRE(before < page);
        REQUIRE(bytes - before - whole < page);
      } else {
        REQUIRE((first + page - 1) / page * page + page > first + bytes);
        REQUIRE(before <= bytes);
      }
    }
  }
}

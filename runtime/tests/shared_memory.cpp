// Memory that an application shares with a guest process.

#include "runtime/guest/shared_memory.hpp"
#include "runtime/support/pages.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>

using namespace hostcl::runtime;

namespace {

constexpr std::size_t mebibyte = 1 << 20;

std::size_t resident(const SharedMemory& memory) {
  struct stat status{};
  REQUIRE(fstat(memory.file().get(), &status) == 0);
  return static_cast<std::size_t>(status.st_blocks) * 512;
}

} // namespace

TEST_CASE("Shared memory: allocations are aligned, and none begins in or at the end of another",
          "[shared_memory]") {
  const auto memory = SharedMemory::create(64 * mebibyte);
  REQUIRE(memory);
  std::map<std::byte*, std::size_t> live;
  std::mt19937 random(1);
  std::uniform_int_distribution<unsigned> sizes(0, 18), alignments(0, 14), percent(0, 99);
  for (int i = 0; i < 5000; ++i) {
    if (!live.empty() && percent(random) < 45) {
      auto victim = live.begin();
      std::advance(victim, random() % live.size());
      memory->free(victim->first);
      live.erase(victim);
      continue;
    }
    const std::size_t bytes = (std::size_t{1} << sizes(random)) - i % 2,
                      alignment = std::size_t{1} << alignments(random);
    std::byte* const got = memory->allocate(bytes, alignment);
    REQUIRE(got);
    REQUIRE(memory->contains(got, bytes));
    REQUIRE(reinterpret_cast<std::uintptr_t>(got) % alignment == 0);
    const auto [place, is_new] = live.emplace(got, bytes);
    REQUIRE(is_new);
    if (place != live.begin()) REQUIRE(std::prev(place)->first + std::prev(place)->second < got);
    if (const auto next = std::next(place); next != live.end()) REQUIRE(got + bytes < next->first);
  }
  // Whatever the order in which they are freed, all of the memory can be allocated again.
  std::vector<std::byte*> all;
  for (const auto& [first, bytes] : live)
    all.push_back(first);
  std::ranges::shuffle(all, random);
  for (std::byte* each : all)
    memory->free(each);
  CHECK(memory->allocate(64 * mebibyte - page_bytes(), page_bytes()) == memory->begin());
  CHECK_FALSE(memory->allocate(1, 1));
}

TEST_CASE("Shared memory: pages of freed allocations are kept, up to a part of the memory",
          "[shared_memory]") {
  const auto memory = SharedMemory::create(1024 * mebibyte);
  REQUIRE(memory);
  std::byte* const small = memory->allocate(4 * mebibyte, page_bytes());
  REQUIRE(small);
  std::memset(small, 1, 4 * mebibyte);
  memory->free(small);
  CHECK(resident(*memory) >= 4 * mebibyte);
  CHECK(memory->allocate(4 * mebibyte, page_bytes()) == small);
  CHECK(small[4 * mebibyte - 1] == std::byte{1});
  std::byte* const large = memory->allocate(32 * mebibyte, page_bytes());
  REQUIRE(large);
  std::memset(large, 1, 32 * mebibyte);
  memory->free(large);
  CHECK(resident(*memory) < 5 * mebibyte);
  CHECK(large[0] == std::byte{0});
  CHECK(small[0] == std::byte{1});
  memory->free(small);
  memory->trim();
  CHECK(resident(*memory) == 0);
  memory->free(nullptr);
}

TEST_CASE("Shared memory: a guest that writes where nothing is allocated is noticed", "[shared_memory]") {
  const auto memory = SharedMemory::create(1024 * mebibyte);
  REQUIRE(memory);
  std::byte* const block = memory->allocate(32 * mebibyte, page_bytes());
  REQUIRE(block);
  std::memset(block, 1, 32 * mebibyte);
  CHECK_FALSE(memory->holds_too_much());
  std::memset(block + 64 * mebibyte, 1, 96 * mebibyte);
  CHECK(memory->holds_too_much());
  memory->trim();
  CHECK_FALSE(memory->holds_too_much());
  CHECK(block[32 * mebibyte - 1] == std::byte{1});
}

TEST_CASE("Shared memory: an allocation lies in the part that is asked for", "[shared_memory]") {
  const auto memory = SharedMemory::create(4 * mebibyte);
  REQUIRE(memory);
  constexpr std::size_t bytes = (std::size_t{128} << 10) - 1; // takes whole pages of all sizes
  std::vector<std::byte*> low, high;
  while (std::byte* each = memory->allocate(bytes, 128, 0, 2 * mebibyte))
    low.push_back(each);
  while (std::byte* each = memory->allocate(bytes, 128, 2 * mebibyte, 4 * mebibyte))
    high.push_back(each);
  CHECK(low.size() == 16);
  CHECK(high.size() == 16);
  CHECK(std::ranges::all_of(low, [&](std::byte* p) { return p + bytes <= memory->begin() + 2 * mebibyte; }));
  CHECK(std::ranges::all_of(high, [&](std::byte* p) { return p >= memory->begin() + 2 * mebibyte; }));
  memory->free(low[7]);
  CHECK_FALSE(memory->allocate(bytes, 128, 2 * mebibyte, 4 * mebibyte));
  CHECK(memory->allocate(bytes, 128, 0, 2 * mebibyte) == low[7]);
}

TEST_CASE("Shared memory: none beyond the largest file that the process may have", "[shared_memory]") {
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  rlimit limit = before;
  limit.rlim_cur = mebibyte;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  errno = 0;
  const auto none = SharedMemory::create(2 * mebibyte); // no SIGXFSZ
  const int error = errno;
  const auto some = SharedMemory::create(mebibyte);
  CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
  CHECK_FALSE(none);
  CHECK(error == EFBIG);
  CHECK(some);
}

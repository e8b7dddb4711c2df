// The wall time that counts for the time limits of kernels in a guest process.

#include "runtime/guest/watched_time.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <thread>
#include <vector>

using hostcl::runtime::guest::WatchedTime;

namespace {

constexpr std::uint64_t second = 1'000'000'000;

} // namespace

TEST_CASE("Watched time: periods between looks are added up", "[watched_time]") {
  WatchedTime time;
  const std::uint64_t begin = time.at(5 * second);
  CHECK(time.at(5 * second + 10'000'000) == begin + 10'000'000);
  CHECK(time.at(5 * second + 40'000'000) == begin + 40'000'000);
}

TEST_CASE("Watched time: a pause of the machine counts as one short period", "[watched_time]") {
  WatchedTime time;
  const std::uint64_t begin = time.at(second);
  CHECK(time.at(1000 * second) == begin + WatchedTime::most_ns);
  CHECK(time.at(1000 * second + 10) == begin + WatchedTime::most_ns + 10);
}

TEST_CASE("Watched time: a look of the past counts nothing", "[watched_time]") {
  WatchedTime time;
  const std::uint64_t begin = time.at(second);
  CHECK(time.at(second - 10) == begin);
  CHECK(time.at(second + 10) == begin + 10);
}

TEST_CASE("Watched time: each period counts once, whichever thread looks", "[watched_time]") {
  WatchedTime time;
  constexpr std::uint64_t looks = 100'000;
  const std::uint64_t begin = time.at(second);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      for (std::uint64_t look = 1; look <= looks; ++look)
        time.at(second + look);
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(time.at(second + looks) == begin + looks);
}

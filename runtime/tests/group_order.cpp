// The orders in which the work-groups of a launch run.

#include "runtime/description/group_order.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

using namespace hostcl::runtime;

namespace {

std::vector<std::uint64_t> all_in(const GroupNumbers& numbers, std::uint64_t groups) {
  std::vector<std::uint64_t> all(groups);
  for (std::uint64_t place = 0; place < groups; ++place)
    all[place] = numbers[place];
  return all;
}

std::vector<std::uint64_t> ascending(std::uint64_t groups) {
  std::vector<std::uint64_t> all(groups);
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  return all;
}

} // namespace

TEST_CASE("Group numbers: the reverse order is descending", "[group_order]") {
  CHECK(all_in({GroupOrder::forward, 3}, 3) == std::vector<std::uint64_t>{0, 1, 2});
  CHECK(all_in({GroupOrder::reverse, 3}, 3) == std::vector<std::uint64_t>{2, 1, 0});
}

TEST_CASE("Group numbers: a random order has each group once", "[group_order]") {
  for (const std::uint64_t groups : {1, 2, 3, 5, 16, 17, 63, 64, 65, 1000, 4097}) {
    CAPTURE(groups);
    std::vector<std::uint64_t> all = all_in({GroupOrder::random, groups, 7}, groups);
    if (groups >= 16) CHECK(all != ascending(groups));
    std::ranges::sort(all);
    CHECK(all == ascending(groups));
  }
}

TEST_CASE("Group numbers: a random order depends on the seed alone", "[group_order]") {
  CHECK(all_in({GroupOrder::random, 64, 1}, 64) == all_in({GroupOrder::random, 64, 1}, 64));
  CHECK(all_in({GroupOrder::random, 64, 1}, 64) != all_in({GroupOrder::random, 64, 2}, 64));
}

TEST_CASE("Group numbers: a random order may have 2^40 groups", "[group_order]") {
  const std::uint64_t groups = std::uint64_t{1} << 40;
  const GroupNumbers numbers(GroupOrder::random, groups - 1, 3);
  for (std::uint64_t place : {std::uint64_t{0}, std::uint64_t{1}, groups - 2})
    CHECK(numbers[place] < groups - 1);
}

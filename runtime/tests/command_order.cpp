// The check HOSTCL_CHECK=commands: which commands it keeps, their order, and their ranges.

#include "runtime/checks/command_order.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

using namespace hostcl::runtime::checks;
namespace abi = hostcl::abi;

namespace {

AccessSet write_of(Range range) {
  Ranges ranges;
  ranges.add(range);
  AccessSet accesses;
  accesses.push_back({std::nullopt, abi::command_writes, std::move(ranges)});
  return accesses;
}

/// Commands that write to the same bytes, in two in-order queues. The check identifies a queue by its address.
struct Commands {
  CommandOrder order;
  int queues[2] = {};

  std::uint64_t enqueue(int queue) {
    return order.enqueue({.queue = &queues[queue],
                          .call = "clEnqueueFillBuffer",
                          .is_in_order = true,
                          .comes_after_all = false,
                          .is_barrier = false});
  }
  std::size_t findings_of(std::uint64_t number) {
    order.begin(number);
    return order.end(number, write_of({0, 4}), /*meets_host=*/false).size();
  }
};

} // namespace

TEST_CASE("The command of a queue in order that is told last may be the first to run", "[command_order]") {
  Commands commands;
  const std::uint64_t before = commands.enqueue(0), told_first = commands.enqueue(0),
                      told_last = commands.enqueue(0);
  CHECK(commands.findings_of(before) == 0);
  CHECK(commands.findings_of(told_last) == 0);
  CHECK(commands.findings_of(told_first) == 0);
  CHECK(commands.findings_of(commands.enqueue(0)) == 0);
  CHECK(commands.findings_of(commands.enqueue(1)) == 1);
}

TEST_CASE("A command that races with many at the same place is told once", "[command_order]") {
  Commands commands;
  for (int i = 0; i < 100; ++i)
    CHECK(commands.findings_of(commands.enqueue(0)) == 0);
  CHECK(commands.findings_of(commands.enqueue(1)) == 1);
  for (int i = 0; i < 100; ++i)
    CHECK(commands.findings_of(commands.enqueue(0)) == 1);
}

TEST_CASE("The host that knows that a command runs knows of the ends before it", "[command_order]") {
  for (const bool knows : {false, true}) {
    Commands commands;
    const std::uint64_t before = commands.enqueue(0), about_to_begin = commands.enqueue(0);
    CHECK(commands.findings_of(before) == 0);
    if (knows) commands.order.host_knows(about_to_begin, /*has_ended=*/false);
    CHECK(commands.findings_of(commands.enqueue(1)) == (knows ? 0 : 1));
  }
}

TEST_CASE("Ranges: what is too much is left out, and costs no sort for each", "[command_order]") {
  Ranges ranges;
  std::size_t left_out = 0;
  for (std::uint64_t i = 0; i < 4 * Ranges::most; ++i)
    left_out += !ranges.add({16 * i, 16 * i + 4});
  ranges.sort();
  CHECK(left_out > 0);
  CHECK(ranges.size() + left_out == 4 * Ranges::most);
  Ranges first;
  first.add({0, 1});
  CHECK(ranges.meet(first));
}

TEST_CASE("Ranges: those that are removed leave what is around them", "[command_order]") {
  const auto left_of = [](Range removed) {
    Ranges ranges;
    ranges.add({0, 8});
    ranges.add({16, 24});
    ranges.sort();
    ranges.remove(removed);
    std::vector<std::uint64_t> left;
    ranges.any([&](Range range) {
      left.insert(left.end(), {range.first, range.end});
      return false;
    });
    return left;
  };
  using Numbers = std::vector<std::uint64_t>;
  CHECK(left_of({8, 16}) == Numbers{0, 8, 16, 24});
  CHECK(left_of({24, 32}) == Numbers{0, 8, 16, 24});
  CHECK(left_of({4, 20}) == Numbers{0, 4, 20, 24});
  CHECK(left_of({2, 3}) == Numbers{0, 2, 3, 8, 16, 24});
  CHECK(left_of({0, 24}).empty());
}

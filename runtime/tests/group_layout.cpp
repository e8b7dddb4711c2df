// The work-groups in which a launch runs if no work-item can find out its group (group_layout.hpp).

#include "runtime/launch/group_layout.hpp"

#include "runtime/program/nd_range.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>

using namespace hostcl;
using runtime::laid_out, runtime::suits_groups;
using Sizes = std::array<std::uint64_t, 3>;

namespace {

abi::NDRange launch_of(const Sizes& global, const Sizes& local) {
  abi::NDRange launch{};
  launch.work_dim = 3;
  std::ranges::copy(global, launch.global_size);
  runtime::set_local_size(launch, local);
  return launch;
}

Sizes local_of(const abi::NDRange& launch) {
  return std::to_array(launch.local_size);
}

/// Code for vectors of 16 work-items along x, which allows groups to be split.
compiler::KernelCode splitting_code(unsigned vector_dimension = 0) {
  compiler::KernelCode code;
  code.width = 16;
  code.vector_dimension = vector_dimension;
  code.groups_split = 1;
  return code;
}

constexpr double long_ns = 1e6, short_ns = 100;

} // namespace

TEST_CASE("Few long groups run in parts, vectors whole", "[group_layout]") {
  const compiler::KernelCode code = splitting_code();
  const abi::NDRange launch = launch_of({2048, 1, 1}, {256, 1, 1});
  const abi::NDRange parts = laid_out(launch, {&code, {}, true}, {16, long_ns});
  CHECK(local_of(parts) == Sizes{16, 1, 1});
  CHECK(parts.group_count[0] == 128);
  SECTION("only until there are enough") {
    CHECK(local_of(laid_out(launch, {&code, {}, true}, {1, long_ns})) == Sizes{256, 1, 1});
    CHECK(local_of(laid_out(launch, {&code, {}, true}, {2, long_ns})) == Sizes{32, 1, 1});
  }
  SECTION("only until they are short") {
    CHECK(local_of(laid_out(launch, {&code, {}, true}, {16, 5'000})) == Sizes{64, 1, 1});
    CHECK(local_of(laid_out(launch, {&code, {}, true}, {16, short_ns})) == Sizes{256, 1, 1});
  }
  SECTION("of unknown cost") {
    CHECK(local_of(laid_out(launch, {&code, {}, true}, {16, 0})) == Sizes{16, 1, 1});
  }
  SECTION("with room for code of other vectors") {
    CHECK(local_of(laid_out(launch, {&code, {}, false}, {16, long_ns})) == Sizes{64, 1, 1});
  }
}

TEST_CASE("Blocks of rows, which share what they read, stay whole", "[group_layout]") {
  const abi::NDRange launch = launch_of({64, 64, 1}, {64, 16, 1});
  const compiler::KernelCode along_x = splitting_code(), along_y = splitting_code(1);
  CHECK(local_of(laid_out(launch, {&along_x, {}, true}, {2, long_ns})) == Sizes{64, 16, 1});
  CHECK(local_of(laid_out(launch, {&along_y, {}, true}, {2, long_ns})) == Sizes{64, 16, 1});
}

TEST_CASE("Parts cover launches whose groups are not all alike", "[group_layout]") {
  const compiler::KernelCode code = splitting_code();
  const abi::NDRange parts = laid_out(launch_of({1000, 3, 1}, {256, 1, 1}), {&code, {}, true}, {16, long_ns});
  CHECK(local_of(parts) == Sizes{16, 1, 1});
  CHECK(parts.group_count[0] == 63);
  CHECK(parts.group_count[1] == 3);
}

TEST_CASE("Groups stay whole where work-items may tell", "[group_layout]") {
  compiler::KernelCode code = splitting_code();
  code.groups_split = 0;
  CHECK(local_of(laid_out(launch_of({2048, 1, 1}, {256, 1, 1}), {&code, {}, true}, {16, long_ns})) ==
        Sizes{256, 1, 1});
}

TEST_CASE("Other code runs parts that are whole vectors of it", "[group_layout]") {
  compiler::KernelCode code = splitting_code();
  const compiler::KernelChoice choice{&code, {}, true};
  const abi::NDRange launch = launch_of({2048, 4, 1}, {256, 4, 1});
  CHECK(suits_groups(choice, launch, launch));
  CHECK(suits_groups(choice, launch, launch_of({2048, 4, 1}, {64, 4, 1})));
  CHECK(suits_groups(choice, launch, launch_of({2048, 4, 1}, {256, 1, 1})));
  CHECK_FALSE(suits_groups(choice, launch, launch_of({2048, 4, 1}, {8, 4, 1})));
  code.groups_split = 0;
  CHECK_FALSE(suits_groups(choice, launch, launch_of({2048, 4, 1}, {64, 4, 1})));
  CHECK_FALSE(suits_groups(choice, launch, launch_of({2048, 4, 1}, {512, 4, 1})));
  code.groups_merge = 1;
  CHECK(suits_groups(choice, launch, launch_of({2048, 4, 1}, {512, 4, 1})));
}

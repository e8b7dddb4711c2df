// The groups that launches of kernels that cannot see them run in.

#include "compiler/code/variant.hpp"
#include "support/catch.hpp"

#include <array>
#include <set>
#include <vector>

using namespace hostcl;
using namespace hostcl::compiler;

namespace {

using Sizes = std::array<std::uint64_t, 3>;

abi::NDRange launch_of(const Sizes& global, const Sizes& local) {
  abi::NDRange launch{};
  launch.work_dim = 3;
  for (unsigned d = 0; d < 3; ++d) {
    launch.global_size[d] = global[d];
    launch.local_size[d] = local[d];
    launch.group_count[d] = (global[d] + local[d] - 1) / local[d];
  }
  return launch;
}

KernelProperties properties_of(std::uint32_t rows, bool columns = false) {
  KernelProperties properties;
  properties.width = 16;
  properties.columns = columns;
  properties.group_rows = rows;
  return properties;
}

Sizes chosen(const Sizes& global, const Sizes& local, const KernelProperties& properties) {
  const abi::GroupSize groups = groups_for(launch_of(global, local), properties);
  return groups ? Sizes{groups.items[0], groups.items[1], groups.items[2]} : local;
}

const std::vector<Sizes> locals = {{1, 1, 1},  {64, 1, 1},  {1, 64, 1},  {1, 1, 64},
                                   {3, 5, 1},  {8, 8, 1},   {2, 1, 1},   {16, 16, 1},
                                   {32, 8, 1}, {256, 1, 1}, {64, 64, 1}, {4096, 1, 1}};
const std::vector<Sizes> globals = {{1024, 1024, 1}, {1000, 1000, 1}, {1, 100'003, 1}, {100'003, 1, 1},
                                    {7, 65'521, 1},  {1024, 16, 64},  {1, 1, 1 << 20}, {1ULL << 40, 1, 1},
                                    {17, 17, 1000},  {2, 1, 1}};

} // namespace

TEST_CASE("Group size: groups are not too large, cover no less than before, and are enough for many threads",
          "[group_size]") {
  for (const Sizes& global : globals)
    for (const Sizes& local : locals)
      for (const std::uint32_t rows : {1u, 16u, 64u})
        for (const bool columns : {false, true}) {
          const abi::GroupSize groups = groups_for(launch_of(global, local), properties_of(rows, columns));
          if (!groups) continue;
          CAPTURE(global[0], global[1], global[2], rows, columns, groups.items[0], groups.items[1],
                  groups.items[2]);
          std::uint64_t items = 1, count = 1;
          for (unsigned d = 0; d < 3; ++d) {
            REQUIRE(groups.items[d] > 0);
            CHECK(groups.items[d] <= global[d]);
            items *= groups.items[d];
            count *= (global[d] + groups.items[d] - 1) / groups.items[d];
          }
          CHECK(items <= abi::max_group_items);
          CHECK(count >= 128);
        }
}

TEST_CASE("Group size: loops that share vectors have one form of groups, whatever the local size is",
          "[group_size]") {
  for (const Sizes& global :
       {Sizes{512, 512, 1}, Sizes{1000, 1000, 1}, Sizes{1024, 1024, 1}, Sizes{2048, 2048, 3}}) {
    std::set<Sizes> forms;
    for (const Sizes& local : locals)
      forms.insert(chosen(global, local, properties_of(16)));
    const std::uint64_t rows = global[1] % 16 == 0 ? 16 : 8;
    CHECK(forms == std::set<Sizes>{{64, rows, 1}});
    forms.clear();
    for (const Sizes& local : locals)
      forms.insert(chosen(global, local, properties_of(64)));
    CHECK(forms == std::set<Sizes>{{64, global[1] == 512 ? 32u : 64u, 1}}); // with 128 groups at least
  }
  CHECK(chosen({1024, 1024, 1}, {16, 16, 1}, properties_of(16)) == Sizes{64, 16, 1});
  CHECK(chosen({1024, 1024, 1}, {16, 16, 1}, properties_of(16, true)) == Sizes{16, 64, 1});
}

TEST_CASE("Group size: rows of a group are whole vectors, whatever the local size is", "[group_size]") {
  for (const Sizes& local : locals) {
    CAPTURE(local[0], local[1], local[2]);
    CHECK(chosen({1024, 1024, 1}, local, properties_of(1))[0] % 16 == 0);
    CHECK(chosen({1, 1 << 20, 1}, local, properties_of(1))[1] % 16 == 0);
  }
}

TEST_CASE("Group size: rows of bytes are longer than those of the launch where these do not fill vectors",
          "[group_size]") {
  KernelProperties bytes = properties_of(4);
  bytes.width = 64;
  CHECK(chosen({1024, 1024, 1}, {16, 16, 1}, bytes) == Sizes{64, 4, 1});
  CHECK(chosen({1024, 1024, 1}, {64, 4, 1}, bytes) == Sizes{64, 4, 1});
  CHECK(chosen({1024, 1024, 1}, {256, 1, 1}, bytes) == Sizes{256, 1, 1});
  CHECK(chosen({1008, 1024, 1}, {16, 16, 1}, bytes) == Sizes{16, 16, 1});
  CHECK(chosen({1000, 1000, 1}, {1, 1, 1}, bytes) == chosen({1000, 1000, 1}, {1, 1, 1}, properties_of(1)));
}

TEST_CASE("Group size: launches keep their groups if kernels see them, if they are few, and if they suit",
          "[group_size]") {
  CHECK_FALSE(groups_for(launch_of({1024, 1024, 1}, {1, 64, 1}), properties_of(0)));
  CHECK_FALSE(groups_for(launch_of({512, 1, 1}, {1, 1, 1}), properties_of(1)));
  CHECK_FALSE(groups_for(launch_of({1 << 20, 1, 1}, {64, 1, 1}), properties_of(1)));
  CHECK_FALSE(groups_for(launch_of({1024, 1024, 1}, {64, 16, 1}), properties_of(16)));
}

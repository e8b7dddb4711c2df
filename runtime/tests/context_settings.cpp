// Contexts of one process with different settings of the compiler.

#include "compiler/compiler.hpp"
#include "runtime/tests/kernel_world.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

using namespace hostcl;
using namespace hostcl::runtime;
using namespace hostcl::runtime::tests;

namespace {

/// Each work-item writes the size of its sub-group, and how many work-items of its group have begun before it.
constexpr const char* source = R"(
  #pragma OPENCL EXTENSION cl_khr_subgroups : enable
  kernel void k(global uint* sizes, global uint* sums, volatile global uint* begun) {
    const size_t i = get_global_id(0);
    sizes[i] = get_max_sub_group_size();
    sums[i] = i * 3;
    if (get_local_id(0) % get_max_sub_group_size() == 0)
      sums[i] += 1000 * atomic_inc(&begun[get_group_id(0)]);
  })";

struct Wanted {
  unsigned width;
  bool reversed;
};
constexpr std::array<Wanted, 4> all_wanted = {{{4, false}, {16, false}, {4, true}, {1, false}}};

Ref<Device> device_with(const Wanted& wanted) {
  compiler::Settings settings = *device().settings();
  settings.width = wanted.width;
  settings.reversed = wanted.reversed;
  auto made = make_object<Device>(Platform::instance(), std::make_shared<const compiler::Settings>(settings));
  expose(Ref<Device>(*made));
  return made;
}

struct Results {
  std::vector<cl_uint> sizes, sums;
  std::uint32_t code_width;
};

Results results_of(const Wanted& wanted) {
  const Ref<Device> device = device_with(wanted);
  const World world(source, *device);
  const Ref<Memory> sizes = world.zeros(items), sums = world.zeros(items), begun = world.zeros(items);
  world.set(0, *sizes);
  world.set(1, *sums);
  world.set(2, *begun);
  const LaunchRecord record = world.record();
  world.run(record);
  const auto values = [](const Memory& buffer) {
    const auto* first = reinterpret_cast<const cl_uint*>(buffer.data());
    return std::vector(first, first + items);
  };
  return {values(*sizes), values(*sums), record.kernel().code(record.range()).code->width};
}

/// The number of sub-groups that begin before that of this item, in its group.
cl_uint begun_before(cl_uint item, const Wanted& wanted) {
  const cl_uint sub_groups = group_items / wanted.width, own = item % group_items / wanted.width;
  return wanted.reversed ? sub_groups - 1 - own : own;
}

void check(const Wanted& wanted, const Results& found) {
  CAPTURE(wanted.width, wanted.reversed);
  CHECK(found.code_width == wanted.width);
  for (cl_uint i = 0; i < items; ++i) {
    CAPTURE(i);
    CHECK(found.sizes[i] == wanted.width);
    CHECK(found.sums[i] == i * 3 + (i % wanted.width == 0 ? 1000 * begun_before(i, wanted) : 0));
  }
}

/// Builds and runs the source in a context with each of the settings, at the same time.
void check_all() {
  std::array<Results, all_wanted.size()> found;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < all_wanted.size(); ++i)
      threads.emplace_back([&, i] { found[i] = results_of(all_wanted[i]); });
  }
  for (std::size_t i = 0; i < all_wanted.size(); ++i)
    check(all_wanted[i], found[i]);
}

} // namespace

TEST_CASE("Contexts of one process compile the same source at the same time, each by its own settings",
          "[context_settings]") {
  check_all();
}

TEST_CASE("The cache keeps results for different settings apart", "[context_settings]") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("hostcl-settings-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  REQUIRE(compiler::set_cache(folder.string(), std::uint64_t{1} << 30));
  check_all();
  check_all(); // from the cache
  compiler::set_cache("", 0);
  std::filesystem::remove_all(folder);
}

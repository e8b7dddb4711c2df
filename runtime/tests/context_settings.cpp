// Contexts of one process with different settings of the compiler.

#include "compiler/compiler.hpp"
#include "runtime/queries/device_info.hpp"
#include "runtime/tests/kernel_world.hpp"

#include <algorithm>
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

/// A context with these settings, and what its kernel has written.
class Run {
public:
  explicit Run(const Wanted& wanted)
      : wanted_(wanted), device_(device_with(wanted)), world_(source, *device_) {}

  void build() { is_built_ = world_.build(); }
  void prepare() {
    REQUIRE(is_built_);
    world_.make_kernel();
    for (cl_uint i = 0; i < 3; ++i)
      world_.set(i, *results_.emplace_back(world_.zeros(items)));
  }
  void launch() {
    const LaunchRecord record = world_.record();
    world_.run(record);
    code_width_ = record.kernel().code(record.range()).code->width;
  }
  void check() const;

private:
  cl_uint value(std::size_t argument, cl_uint item) const {
    return reinterpret_cast<const cl_uint*>(results_[argument]->data())[item];
  }

  const Wanted wanted_;
  const Ref<Device> device_;
  World world_;
  std::vector<Ref<Memory>> results_;
  bool is_built_ = false;
  std::uint32_t code_width_ = 0;
};

/// The number of sub-groups that begin before that of this item, in its group.
cl_uint begun_before(cl_uint item, const Wanted& wanted) {
  const cl_uint sub_groups = group_items / wanted.width, own = item % group_items / wanted.width;
  return wanted.reversed ? sub_groups - 1 - own : own;
}

void Run::check() const {
  CAPTURE(wanted_.width, wanted_.reversed);
  CHECK(code_width_ == wanted_.width);
  for (cl_uint i = 0; i < items; ++i) {
    CAPTURE(i);
    CHECK(value(0, i) == wanted_.width);
    CHECK(value(1, i) == i * 3 + (i % wanted_.width == 0 ? 1000 * begun_before(i, wanted_) : 0));
  }
}

/// Calls a method of all runs at the same time.
void at_once(std::vector<std::unique_ptr<Run>>& runs, void (Run::*method)()) {
  std::vector<std::jthread> threads;
  for (const auto& run : runs)
    threads.emplace_back([&run, method] { (run.get()->*method)(); });
}

/// Builds and runs the source in a context with each of the settings, at the same time.
void check_all() {
  std::vector<std::unique_ptr<Run>> runs;
  for (const Wanted& wanted : all_wanted)
    runs.push_back(std::make_unique<Run>(wanted));
  at_once(runs, &Run::build);
  for (const auto& run : runs)
    run->prepare();
  at_once(runs, &Run::launch);
  for (const auto& run : runs)
    run->check();
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

TEST_CASE("A device does not list the SPIR-V capabilities that need what its language lacks",
          "[context_settings]") {
  compiler::Settings settings = *device().settings();
  settings.language.lacks = {"cl_khr_fp64"};
  const Ref<Device> lacking =
      make_object<Device>(Platform::instance(), std::make_shared<const compiler::Settings>(settings));
  expose(Ref<Device>(*lacking));
  const auto lists_double = [](const Device& asked) {
    std::array<cl_uint, 1024> numbers = {};
    const Answer answer(sizeof numbers, numbers.data(), nullptr);
    REQUIRE(device_info(asked, CL_DEVICE_SPIRV_CAPABILITIES_KHR, answer).ok());
    constexpr cl_uint float64 = 10;
    return std::ranges::find(numbers, float64) != numbers.end();
  };
  CHECK(lists_double(device()));
  CHECK_FALSE(lists_double(*lacking));
}

// A launch that is recorded once can run any number of times, also on several threads at the same time, and each time
// with other host callbacks.

#include "runtime/launch/launch_record.hpp"

#include "compiler/abi/printf.hpp"
#include "runtime/object/deferred_releases.hpp"
#include "runtime/tests/kernel_world.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

using namespace hostcl;
using namespace hostcl::runtime;
using namespace hostcl::runtime::tests;

namespace {

std::vector<cl_uint> values(const Memory& buffer) {
  const auto* first = reinterpret_cast<const cl_uint*>(buffer.data());
  return {first, first + buffer.size() / sizeof(cl_uint)};
}

/// Each work-item of a group passes its global id to another work-item of the group through local memory, and
/// increments the counter.
constexpr const char* counting_kernel = R"(
  #pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable
  kernel void k(local uint* first, local uint* second, counter32_t counter, global uint* sums, uint step) {
    const size_t i = get_local_id(0), last = get_local_size(0) - 1;
    first[i] = get_global_id(0);
    second[i] = step;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sums[get_global_id(0)], first[last - i] + second[i]);
    atomic_inc(counter);
  })";

/// The value that a run of that kernel adds to the sum of a work-item.
cl_uint sum_of_run(cl_uint item, cl_uint step) {
  return item / group_items * group_items + group_items - 1 - item % group_items + step;
}

void check_sums(const Memory& sums, cl_uint runs, cl_uint steps) {
  const std::vector<cl_uint> found = values(sums);
  for (cl_uint i = 0; i < items; ++i) {
    CAPTURE(i);
    CHECK(found[i] == runs * sum_of_run(i, 0) + steps);
  }
}

std::string* printed;

/// An abi::HostCallbacks::print that appends to `printed`.
std::int32_t append(void*, const char* format, const std::byte* arguments) {
  return compiler::format_message(*printed, format, arguments) ? 0 : -1;
}

} // namespace

TEST_CASE("A record with counters and local arguments runs several times, with the arguments as they were",
          "[launch_record]") {
  const World world(counting_kernel);
  const Ref<Memory> counter = world.zeros(1), sums = world.zeros(items);
  world.set_local(0, group_items * sizeof(cl_uint));
  world.set_local(1, group_items * sizeof(cl_uint));
  world.set(2, *counter);
  world.set(3, *sums);
  world.set(4, 1000);
  const LaunchRecord record = world.record();
  CHECK(record.is_valid());
  CHECK(record.has_placed_arguments());

  for (cl_uint run = 1; run <= 3; ++run) {
    world.run(record);
    check_sums(*sums, run, run * 1000);
    CHECK(values(*counter)[0] == run * items);
  }

  SECTION("new arguments are another record, and the first stays as it is") {
    const Ref<Memory> other_sums = world.zeros(items);
    world.set_local(0, 5 * group_items * sizeof(cl_uint));
    world.set(3, *other_sums);
    world.set(4, 1);
    const LaunchRecord other = world.record();
    world.run(other);
    world.run(record);
    world.run(other);
    check_sums(*sums, 4, 4000);
    check_sums(*other_sums, 2, 2);
    CHECK(values(*counter)[0] == 6 * items);
  }

  SECTION("two threads run it at once") {
    constexpr cl_uint runs = 200;
    auto run_often = [&] {
      for (cl_uint i = 0; i < runs; ++i)
        world.run(record);
    };
    std::thread other(run_often);
    run_often();
    other.join();
    check_sums(*sums, 3 + 2 * runs, (3 + 2 * runs) * 1000);
    CHECK(values(*counter)[0] == (3 + 2 * runs) * items);
  }
}

TEST_CASE("A record keeps its buffers", "[launch_record]") {
  const World world("kernel void k(global uint* p) { p[get_global_id(0)] += 1; }");
  Ref<Memory> buffer = world.zeros(items);
  world.set(0, *buffer);
  const LaunchRecord record = world.record();
  CHECK_FALSE(record.has_placed_arguments());
  const std::byte* data = buffer->data();
  buffer = {};
  world.run(record);
  world.run(record);
  CHECK(reinterpret_cast<const cl_uint*>(data)[items - 1] == 2);
}

TEST_CASE("A thread may release the references of several records together", "[launch_record]") {
  const World world("kernel void k(global uint* p) { p[get_global_id(0)] += 1; }");
  Ref<Memory> buffer = world.zeros(items);
  const WeakMemory known(*buffer);
  world.set(0, *buffer);
  DeferredReleases releases;
  {
    const LaunchRecord first = world.record(), second = world.record();
    buffer = {};
  }
  CHECK(known.is_live());
  releases.release_all();
  CHECK_FALSE(known.is_live());
}

TEST_CASE("Records release at once what finds no place among the deferred references", "[launch_record]") {
  const World world(
      "kernel void k(global uint* a, global uint* b, global uint* c, global uint* d, global uint* e) {}");
  std::vector<Ref<Memory>> buffers;
  std::vector<WeakMemory> known;
  for (cl_uint i = 0; i < 5; ++i) {
    buffers.push_back(world.zeros(items));
    known.emplace_back(*buffers.back());
    world.set(i, *buffers.back());
  }
  const auto count_live = [&] { return std::ranges::count_if(known, &WeakMemory::is_live); };
  {
    const DeferredReleases releases;
    {
      const LaunchRecord record = world.record();
      buffers.clear();
    }
    CHECK(count_live() == 4);
  }
  CHECK(count_live() == 0);
}

TEST_CASE("Of a kernel's short launches, the first eight and then every sixteenth are measured",
          "[launch_record]") {
  const World world("kernel void k() {}");
  LoadedKernel& kernel = *world.kernel->code_for(world.device)->kernel;
  const auto measured_of = [&](int launches) {
    int measured = 0;
    while (launches-- > 0)
      measured += kernel.is_measured();
    return measured;
  };
  CHECK(measured_of(8) == 8);
  CHECK(measured_of(160) == 10);
  kernel.measure_next();
  CHECK(measured_of(8) == 8);
}

TEST_CASE("What a run prints goes to its host_callbacks", "[launch_record]") {
  const World world(R"(
    __attribute__((noinline)) int f(uint x) { return printf("<%u>", x); }
    kernel void k(uint x, global uint* result) {
      if (get_global_id(0) == 9) *result = f(x) + printf("%y") + 2;
    })");
  const Ref<Memory> result = world.zeros(1);
  world.set(0, 7);
  world.set(1, *result);
  const LaunchRecord record = world.record();
  std::string first, second;
  for (std::string* text : {&first, &second, &second}) {
    abi::HostCallbacks host_callbacks = world.context->host_callbacks();
    printed = text;
    host_callbacks.print = append;
    world.run(record, host_callbacks);
  }
  CHECK(first == "<7>%y");
  CHECK(second == "<7>%y<7>%y");
  CHECK(values(*result)[0] == 1);
}

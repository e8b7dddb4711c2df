// The sub-group size of a device whose description gives one: kernels that require no size have it on each CPU, whose
// vectors may be shorter or longer. What work-items compute is compared with a scalar model.

#include "compiler/compiler.hpp"
#include "runtime/tests/kernel_world.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

using namespace hostcl;
using namespace hostcl::runtime;
using namespace hostcl::runtime::tests;

namespace {

/// Each work-item writes `values` numbers. The last sub-group of a group may have fewer work-items than the others, so
/// lanes are taken modulo its size.
constexpr const char* source = R"(
  uint part(uint4 bits, uint size) { return bits.x ^ (size > 32 ? bits.y * 3 : 0); }
  kernel void k(global const uint* in, global uint* out) {
    const size_t i = get_global_linear_id();
    const uint v = in[i], lane = get_sub_group_local_id(), size = get_sub_group_size();
    global uint* o = out + i * 16;
    o[0] = size;
    o[1] = get_max_sub_group_size();
    o[2] = get_sub_group_id();
    o[3] = lane;
    o[4] = get_num_sub_groups();
    o[5] = sub_group_reduce_add(v);
    o[6] = sub_group_scan_exclusive_add(v);
    o[7] = sub_group_scan_inclusive_max(v);
    o[8] = part(sub_group_ballot(v & 1), size);
    o[9] = sub_group_shuffle(v, (lane * 3 + 1) % size);
    o[10] = sub_group_broadcast(v, size - 1);
    o[11] = sub_group_any(v % 64 == 0) * 2 + sub_group_all(v % 8 != 0);
    if (lane & 1)
      o[12] = sub_group_non_uniform_reduce_add(v);
    else
      o[12] = sub_group_ballot_bit_count(sub_group_ballot(v & 2));
    const uint rotated = sub_group_rotate(v, 1); // undefined in the last lane of a sub-group that is not full
    o[13] = lane + 1 < size || size == get_max_sub_group_size() ? rotated : 0;
    const size_t group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
    const global uint* block = in + (group * get_num_sub_groups() + get_sub_group_id()) * get_max_sub_group_size();
    o[14] = intel_sub_group_block_read(block);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[15] = size == get_max_sub_group_size() ? sub_group_shuffle_xor(v, 2) : v;
  })";
constexpr std::size_t values = 16;

struct Shape {
  std::array<std::uint64_t, 3> local, groups;

  std::size_t group_items() const { return local[0] * local[1] * local[2]; }
  std::size_t group_count() const { return groups[0] * groups[1] * groups[2]; }
};
constexpr Shape shapes[] = {{{64, 1, 1}, {2, 1, 1}},  {{128, 1, 1}, {2, 1, 1}}, {{16, 1, 1}, {3, 1, 1}},
                            {{100, 1, 1}, {2, 1, 1}}, {{7, 1, 1}, {3, 1, 1}},   {{8, 8, 1}, {2, 2, 1}},
                            {{5, 3, 1}, {2, 1, 1}},   {{33, 4, 1}, {1, 2, 1}},  {{2, 9, 5}, {1, 2, 2}}};

/// What the lane of a sub-group writes.
/// @param all the values of the sub-group's work-items
std::array<cl_uint, values> modelled(const std::vector<cl_uint>& all, std::size_t lane, std::size_t max_size,
                                     std::size_t id, std::size_t count, cl_uint in_block) {
  const std::size_t size = all.size();
  if (size == 0) return {};
  cl_uint sum = 0, before = 0, most = 0, odd_sum = 0, second_bits = 0;
  std::array<cl_uint, 2> bits = {};
  bool any = false, every = true;
  for (std::size_t other = 0; other < size; ++other) {
    const cl_uint v = all[other];
    sum += v;
    if (other < lane) before += v;
    if (other <= lane) most = std::max(most, v);
    if (other % 2) odd_sum += v;
    if (other % 2 == 0) second_bits += v >> 1 & 1;
    bits[other / 32] |= (v & 1) << other % 32;
    any |= v % 64 == 0;
    every &= v % 8 != 0;
  }
  return {cl_uint(size),
          cl_uint(max_size),
          cl_uint(id),
          cl_uint(lane),
          cl_uint(count),
          sum,
          before,
          most,
          bits[0] ^ (size > 32 ? bits[1] * 3 : 0),
          all[(lane * 3 + 1) % size],
          all[size - 1],
          any * 2u + every,
          lane % 2 ? odd_sum : second_bits,
          lane + 1 < size || size == max_size ? all[(lane + 1) % size] : 0,
          in_block,
          size == max_size ? all[lane ^ 2] : all[lane]};
}

Ref<Device> device_with(unsigned size, const compiler::HostCpu& cpu) {
  compiler::Settings settings = *device().settings();
  settings.cpu = cpu;
  settings.language.default_c = CL_MAKE_VERSION(3, 0, 0);
  settings.language.sub_group_sizes = {size, 1};
  auto made = make_object<Device>(Platform::instance(), std::make_shared<const compiler::Settings>(settings));
  expose(Ref<Device>(*made));
  return made;
}

abi::NDRange range_of(const Shape& shape) {
  abi::NDRange range{{}, {}, {}, {}, 3, 0};
  for (unsigned d : {0u, 1u, 2u}) {
    range.global_size[d] = shape.local[d] * shape.groups[d];
    range.local_size[d] = shape.local[d];
    range.group_count[d] = shape.groups[d];
  }
  return range;
}

cl_uint* numbers_in(Memory& memory) {
  return reinterpret_cast<cl_uint*>(memory.data());
}

/// The linear global id of a group's work-item with this linear local id.
std::size_t global_id(const Shape& shape, std::size_t group, std::size_t item) {
  const auto [x, y, z] = shape.local;
  const auto [groups_x, groups_y, groups_z] = shape.groups;
  const std::size_t gx = group % groups_x * x + item % x;
  const std::size_t gy = group / groups_x % groups_y * y + item / x % y;
  const std::size_t gz = group / groups_x / groups_y * z + item / x / y;
  return (gz * groups_y * y + gy) * groups_x * x + gx;
}

/// Compares what the work-items of a group have written with the model. @returns the number of different values
std::size_t wrong_in_group(const Shape& shape, std::size_t group, std::size_t size, const cl_uint* in,
                           const cl_uint* out) {
  const std::size_t items = shape.group_items(), count = (items + size - 1) / size;
  std::size_t wrong = 0;
  for (std::size_t id = 0; id < count; ++id) {
    std::vector<cl_uint> all;
    for (std::size_t item = id * size; item < std::min(items, (id + 1) * size); ++item)
      all.push_back(in[global_id(shape, group, item)]);
    for (std::size_t lane = 0; lane < all.size(); ++lane) {
      const cl_uint* seen = out + global_id(shape, group, id * size + lane) * values;
      const auto expected = modelled(all, lane, size, id, count, in[(group * count + id) * size + lane]);
      for (std::size_t i = 0; i < values; ++i)
        wrong += seen[i] != expected[i];
    }
  }
  return wrong;
}

void check(const World& world, const Shape& shape, unsigned size) {
  const std::size_t items = shape.group_items() * shape.group_count();
  const std::size_t blocks = (shape.group_items() + size - 1) / size * size * shape.group_count();
  const Ref<Memory> in = world.zeros(std::max(items, blocks)), out = world.zeros(items * values);
  for (std::size_t i = 0; i < std::max(items, blocks); ++i)
    numbers_in(*in)[i] = cl_uint(i * 2654435761u >> 8);
  world.set(0, *in);
  world.set(1, *out);
  const LaunchRecord record(*world.kernel, *world.kernel->code_for(world.device), range_of(shape),
                            Replay::never);
  world.run(record);
  CHECK(record.kernel().code(record.range()).code->width == size);
  std::size_t wrong = 0;
  for (std::size_t group = 0; group < shape.group_count(); ++group)
    wrong += wrong_in_group(shape, group, size, numbers_in(*in), numbers_in(*out));
  CHECK(wrong == 0);
}

/// Launches of all shapes with all sub-group sizes, in code for a CPU.
void check_all(const compiler::HostCpu& cpu) {
  for (const unsigned size : {4, 8, 16, 32, 64}) {
    const Ref<Device> device = device_with(size, cpu);
    World world(source, *device);
    REQUIRE(world.build());
    world.make_kernel();
    for (const Shape& shape : shapes) {
      CAPTURE(cpu.name, size, shape.local, shape.groups);
      check(world, shape, size);
    }
  }
}

} // namespace

TEST_CASE("A device's sub-group size is that of all kernels that require none", "[sub_group_sizes]") {
  check_all(compiler::host_cpu());
}

TEST_CASE("A device's sub-group size may be several vectors of the CPU", "[sub_group_sizes]") {
  const auto cpu = compiler::cpu_named("x86-64-v2", /*must_run=*/true); // has vectors of 128 bits
  if (cpu) check_all(cpu.value);
}

TEST_CASE("A device's sub-groups work with numbers of all types", "[sub_group_sizes]") {
  constexpr const char* typed = R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    kernel void k(global const uint* in, global uint* out) {
      const size_t i = get_global_id(0);
      const uint lane = get_sub_group_local_id();
      const T v = (T)(in[i] & 1);
      out[i] = (uint)sub_group_scan_inclusive_add(v) + 1000 * (uint)sub_group_shuffle_xor((T)lane, 3) +
               100000 * (uint)sub_group_reduce_max((T)(lane & 7));
    })";
  const auto other = compiler::cpu_named("x86-64-v2", /*must_run=*/true);
  for (const compiler::HostCpu& cpu : {compiler::host_cpu(), other ? other.value : compiler::host_cpu()})
    for (const unsigned size : {8, 64})
      for (const std::string type : {"char", "ushort", "int", "long", "half", "float", "double"}) {
        CAPTURE(cpu.name, size, type);
        const Ref<Device> device = device_with(size, cpu);
        const std::string text = "#define T " + type + "\n" + typed;
        World world(text.c_str(), *device);
        REQUIRE(world.build());
        world.make_kernel();
        constexpr Shape shape{{128, 1, 1}, {2, 1, 1}};
        const std::size_t items = shape.group_items() * shape.group_count();
        const Ref<Memory> in = world.zeros(items), out = world.zeros(items);
        for (std::size_t i = 0; i < items; ++i)
          numbers_in(*in)[i] = cl_uint(i * 2654435761u >> 8);
        world.set(0, *in);
        world.set(1, *out);
        world.run({*world.kernel, *world.kernel->code_for(*device), range_of(shape), Replay::never});
        std::size_t wrong = 0;
        cl_uint sum = 0;
        for (std::size_t i = 0; i < items; ++i) {
          sum = (i % size ? sum : 0) + (numbers_in(*in)[i] & 1);
          wrong += numbers_in(*out)[i] != sum + 1000 * (i % size ^ 3) + 100000 * 7;
        }
        CHECK(wrong == 0);
      }
}

TEST_CASE("Queries tell the device's sub-group size for all kernels that require none", "[sub_group_sizes]") {
  const Ref<Device> device = device_with(64, compiler::host_cpu());
  World world("kernel void k(global uint* out) { out[get_global_id(0)] = 1; }", *device);
  REQUIRE(world.build());
  world.make_kernel();
  const std::size_t local = 8;
  std::size_t size = 0;
  REQUIRE(world.kernel
              ->sub_group_info(*device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, &local,
                               Answer(sizeof size, &size, nullptr))
              .ok());
  CHECK(size == 64);
}

// cl_intel_required_subgroup_size: what kernels build on sub-groups of the size that they ask for, in groups of shapes
// whose rows are not a multiple of it. Sizes, ids and collective functions are in sub_groups.cpp.

#include "support/il.hpp"

using namespace test::spirv;

namespace {

/// Each sub-group reads a block of its own, twice the required size, and passes its elements on in two ways.
constexpr const char* source = R"(
    kernel __attribute__((intel_reqd_sub_group_size(REQUIRED)))
    void k(global const uint* in, global uint* out, local uint* scratch) {
      uint items = get_local_size(0) * get_local_size(1) * get_local_size(2), lane = get_sub_group_local_id();
      uint group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
      uint sub_group = group * get_num_sub_groups() + get_sub_group_id();
      uint2 block = intel_sub_group_block_read2(in + sub_group * 2 * REQUIRED);
      uint full = get_sub_group_size() == REQUIRED;
      uint other = full ? intel_sub_group_shuffle(block.y, (lane * 3 + 1) % REQUIRED) : block.y;
      scratch[get_local_linear_id()] = block.x + get_local_id(0) + 100 * get_local_id(1) + 10000 * get_local_id(2);
      barrier(CLK_LOCAL_MEM_FENCE);
      uint place = (group * items + get_sub_group_id() * REQUIRED + lane) * 3;
      out[place] = block.x;
      out[place + 1] = other;
      out[place + 2] = scratch[items - 1 - get_local_linear_id()];
    })";

struct Shape {
  test::Range local;
  std::array<size_t, 3> groups;
};

const Shape shapes[] = {{{6, 4}, {2, 3, 1}},     {{8, 8}, {2, 2, 1}},    {{4, 16}, {3, 1, 1}},
                        {{5, 3}, {2, 2, 1}},     {{8}, {3, 1, 1}},       {{1}, {4, 1, 1}},
                        {{3, 3, 3}, {2, 1, 2}},  {{1, 7, 2}, {2, 2, 2}}, {{2, 1, 9}, {1, 3, 2}},
                        {{20, 1, 3}, {2, 2, 1}}, {{16, 3}, {2, 1, 1}},   {{33, 2}, {1, 2, 1}},
                        {{1, 1, 24}, {2, 1, 1}}, {{64}, {2, 1, 1}}};

void check(const test::Session& session, const test::Kernel& kernel, size_t size, const Shape& shape) {
  const auto& [local, groups] = shape;
  const size_t items = local.size[0] * local.size[1] * local.size[2], count = (items + size - 1) / size;
  const size_t all_groups = groups[0] * groups[1] * groups[2];
  std::vector<cl_uint> in(all_groups * count * 2 * size);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = cl_uint(i * 7 + 1);
  const auto input = session.buffer(in), out = session.buffer(std::vector<cl_uint>(all_groups * items * 3));
  test::set_arguments(kernel, input, out, test::Local{items * sizeof(cl_uint)});
  session.run(kernel, {local.size[0] * groups[0], local.size[1] * groups[1], local.size[2] * groups[2]},
              {local.size[0], local.size[1], local.size[2]});
  const auto result = session.read<cl_uint>(out, all_groups * items * 3);

  const auto block = [&](size_t group, size_t item, size_t half, size_t lane) {
    return in[((group * count + item / size) * 2 + half) * size + lane];
  };
  size_t wrong = 0;
  for (size_t group = 0; group < all_groups; ++group)
    for (size_t item = 0; item < items; ++item) {
      const cl_uint* seen = &result[(group * items + item) * 3];
      const size_t lane = item % size, last = items - 1 - item;
      const bool full = item / size < items / size;
      const size_t ids = last % local.size[0] + 100 * (last / local.size[0] % local.size[1]) +
                         10000 * (last / local.size[0] / local.size[1]);
      wrong += seen[0] != block(group, item, 0, lane);
      wrong += seen[1] != block(group, item, 1, full ? (lane * 3 + 1) % size : lane);
      wrong += seen[2] != block(group, last, 0, last % size) + ids;
    }
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE(
    "Required sub-groups: blocks, shuffles and barriers go by the required size in groups of all shapes",
    "[required_sub_groups]") {
  if (!test::has_extension("cl_intel_required_subgroup_size")) return;
  const test::Session session;
  for (const size_t size : {4, 8, 16, 32}) {
    const auto kernel =
        session.kernel(source, "k", ("-cl-std=CL3.0 -DREQUIRED=" + std::to_string(size)).c_str());
    for (const Shape& shape : shapes) {
      const auto [x, y, z] = shape.local.size;
      CAPTURE(size, x, y, z);
      check(session, kernel, size, shape);
    }
  }
}

TEST_CASE("Required sub-groups: a launch that cannot have them is refused", "[required_sub_groups]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  // A loop that waits for another work-item runs one work-item at a time.
  const auto kernel = session.kernel(R"(
    kernel __attribute__((intel_reqd_sub_group_size(16))) void k(global volatile atomic_int* lock, global int* out) {
      while (atomic_exchange(lock, 1));
      out[0] += get_max_sub_group_size();
      atomic_store(lock, 0);
    })",
                                     "k", "-cl-std=CL3.0");
  const auto lock = session.buffer(std::vector<cl_int>{0}), out = session.buffer(std::vector<cl_int>{0});
  test::set_arguments(kernel, lock, out);
  const size_t items = 16;
  cl_event event = nullptr;
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &items, &items, 0, nullptr, &event));
  const test::Event owned(event);
  CHECK_STATUS(test::wait(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(test::status_of(event) < 0);
  CHECK(session.read<cl_int>(out, 1)[0] == 0);
}

TEST_CASE("Required sub-groups: a size that there is not is a build error with the size",
          "[required_sub_groups]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  for (const char* size : {"3", "12", "128"}) {
    const std::string text =
        std::string("kernel __attribute__((intel_reqd_sub_group_size(") + size + "))) void k() {}";
    std::string log;
    CHECK_STATUS(session.try_build(text.c_str(), "", &log), CL_BUILD_PROGRAM_FAILURE);
    CHECK(log.find(std::string("the required size of sub-groups is ") + size) != std::string::npos);
  }
}

// Sub-groups of launches of every shape, against a model on the host (OpenCL C 3.0, 6.15.19; OpenCL 3.0,
// 3.2.1 and 5.10): each work-item is in exactly one sub-group, all sub-groups of a group but the last have the
// same size, which intel_reqd_sub_group_size sets, and clGetKernelSubGroupInfo tells the application what it will find.

#include "support/session.hpp"

#include <algorithm>
#include <map>

namespace {

/// What a work-item sees; the same structure is in the kernel.
struct Seen {
  cl_uint group, id, lane, size, largest, count, enqueued;
  cl_uint value, sum, most, inclusive, exclusive, first, last, other, group_sum, group_scan;
};

/// With `SYNCHRONISE`, ids and values live across a barrier.
constexpr const char* source = R"(
    typedef struct {
      uint group, id, lane, size, largest, count, enqueued;
      uint value, sum, most, inclusive, exclusive, first, last, other, group_sum, group_scan;
    } Seen;
    #ifdef REQUIRED
    __attribute__((intel_reqd_sub_group_size(REQUIRED)))
    #endif
    kernel void k(global Seen* out) {
      local uint met;
      size_t item = get_global_linear_id();
      uint id = get_sub_group_id(), lane = get_sub_group_local_id(), size = get_sub_group_size();
      uint column = get_local_id(0) ^ 1, value = item * 2654435761u >> 8;
    #ifdef SYNCHRONISE
      if (get_local_linear_id() == 0) met = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      atomic_add(&met, size + column);
      barrier(CLK_LOCAL_MEM_FENCE);
      if (met == 0xffffffff) value = 0;
    #endif
      Seen seen;
      seen.group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
      seen.id = id;
      seen.lane = lane;
      seen.size = size;
      seen.largest = get_max_sub_group_size();
      seen.count = get_num_sub_groups();
      seen.enqueued = get_enqueued_num_sub_groups();
      seen.value = value;
      seen.sum = sub_group_reduce_add(value);
      seen.most = sub_group_reduce_max(value);
      seen.inclusive = sub_group_scan_inclusive_add(value);
      seen.exclusive = sub_group_scan_exclusive_add(value);
      seen.first = sub_group_broadcast(value, 0);
      seen.last = sub_group_broadcast(value, size - 1);
      seen.other = column ^ 1 ^ get_local_id(0);
    #ifdef COLLECTIVES
      seen.group_sum = work_group_reduce_add(value);
      seen.group_scan = work_group_scan_inclusive_add(value);
    #endif
      out[item] = seen;
    })";

struct Shape {
  test::Range global, local;
};

const Shape shapes[] = {
    {{64}, {16}},
    {{19}, {8}},
    {{5}, {64}},
    {{100}, {24}},
    {{7}, {7}},
    {{3}, {1}},
    {{1000}, {100}},
    {{130}, {64}},
    {{19, 8}, {2, 4}},
    {{13, 8}, {8, 4}},
    {{8, 13}, {8, 4}},
    {{37, 5}, {16, 2}},
    {{5, 3}, {16, 4}},
    {{30, 16}, {6, 4}},
    {{3, 37}, {1, 16}},
    {{70, 9}, {32, 1}},
    {{19, 8, 8}, {2, 4, 4}},
    {{8, 19, 8}, {2, 4, 4}},
    {{8, 8, 19}, {2, 4, 4}},
    {{3, 37, 5}, {1, 16, 4}},
    {{35, 9, 5}, {16, 4, 2}},
    {{35, 9, 5}, {32, 2, 2}},
    {{2, 3, 37}, {1, 1, 16}},
};

cl_uint queried(cl_kernel kernel, cl_kernel_sub_group_info name, const test::Range& local) {
  size_t value = 0;
  REQUIRE_CL(clGetKernelSubGroupInfo(kernel, test::device(), name, local.dimensions * sizeof(size_t),
                                     local.size.data(), sizeof value, &value, nullptr));
  return cl_uint(value);
}

/// The items of one sub-group by their number in it; and whether they agree with each other and the model.
bool is_sub_group(const std::vector<const Seen*>& items) {
  cl_uint before = 0, most = 0;
  for (const Seen* item : items)
    most = std::max(most, item->value);
  for (cl_uint lane = 0; lane < items.size(); ++lane) {
    const Seen* item = items[lane];
    if (item->lane != lane || item->size != items.size() || item->exclusive != before) return false;
    before += item->value;
    if (item->inclusive != before || item->most != most || item->first != items[0]->value ||
        item->last != items.back()->value)
      return false;
  }
  return std::ranges::all_of(items, [&](const Seen* item) { return item->sum == before; });
}

/// Checks the items of one group.
void check_group(const std::vector<const Seen*>& items, bool has_collectives) {
  std::map<cl_uint, std::vector<const Seen*>> sub_groups;
  cl_uint sum = 0, wrong = 0;
  for (const Seen* item : items) {
    sub_groups[item->id].push_back(item);
    sum += item->value;
    wrong += item->other != 0;
    wrong += has_collectives && item->group_scan != sum;
  }
  REQUIRE(sub_groups.rbegin()->first + 1 == sub_groups.size());
  const size_t size = sub_groups[0].size(), largest = items.front()->largest;
  CHECK(size <= largest);
  for (size_t i = 0; i < items.size(); ++i)
    wrong += items[i]->id != i / size || items[i]->lane != i % size;
  for (auto& [id, members] : sub_groups) {
    std::ranges::sort(members, {}, &Seen::lane);
    wrong += !is_sub_group(members);
    wrong += id + 1 < sub_groups.size() ? members.size() != size : members.size() > size;
  }
  for (const Seen* item : items)
    wrong += item->count != sub_groups.size() || (has_collectives && item->group_sum != sum);
  CHECK(wrong == 0);
}

/// @returns the size of the largest sub-groups
cl_uint check_launch(const test::Session& session, const test::Kernel& kernel, bool has_collectives,
                     const Shape& shape) {
  const auto& [global, local] = shape;
  size_t items = 1, local_items = 1;
  for (unsigned d : {0u, 1u, 2u}) {
    items *= global.size[d];
    local_items *= local.size[d];
  }
  const auto out = session.buffer(std::vector<Seen>(items));
  REQUIRE_CL(test::set_argument(kernel, 0, out));
  session.run(kernel, global, local);
  const auto seen = session.read<Seen>(out, items);
  // In a group the linear global ids are in the order of the linear local ids.
  std::map<cl_uint, std::vector<const Seen*>> groups;
  const cl_uint largest = queried(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local);
  const cl_uint count = queried(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local);
  cl_uint wrong = 0;
  for (const Seen& item : seen) {
    groups[item.group].push_back(&item);
    wrong += item.largest != largest || item.enqueued != count;
  }
  CHECK(wrong == 0);
  for (const auto& [number, members] : groups) {
    CAPTURE(number, members.size());
    check_group(members, has_collectives);
    if (members.size() == local_items) CHECK(members.front()->count == count);
  }
  return largest;
}

/// Launches one of three kernels in every `step`-th shape, beginning at another shape for each kernel.
void check_launches(size_t kernel_number, size_t step) {
  const std::string options = std::array{"", "-DSYNCHRONISE", "-DCOLLECTIVES"}[kernel_number];
  const test::Session session;
  const auto kernel = session.kernel(source, "k", ("-cl-std=CL3.0 " + options).c_str());
  for (size_t i = kernel_number % step; i < std::size(shapes); i += step) {
    const auto [x, y, z] = shapes[i].global.size;
    const auto [a, b, c] = shapes[i].local.size;
    CAPTURE(options, x, y, z, a, b, c);
    check_launch(session, kernel, options == "-DCOLLECTIVES", shapes[i]);
  }
}

} // namespace

TEST_CASE("Sub-groups: launches of all shapes agree with the model and with the queries",
          "[sub_groups][one_form]") {
  for (const size_t kernel : {0, 1, 2})
    check_launches(kernel, 1);
}

TEST_CASE("Sub-groups: launches of every third shape agree with the model and with the queries",
          "[.short_sub_groups]") {
  for (const size_t kernel : {0, 1, 2})
    check_launches(kernel, 3);
}

TEST_CASE("Sub-groups: they have the required size in launches of all shapes", "[sub_groups][one_form]") {
  if (!test::has_extension("cl_intel_required_subgroup_size")) return;
  const test::Session session;
  for (const std::string options : {"", "-DSYNCHRONISE -DCOLLECTIVES"})
    for (const cl_uint size : {4, 8, 16, 32}) {
      if (!options.empty() && size == 4) continue;
      const std::string all = "-cl-std=CL3.0 -DREQUIRED=" + std::to_string(size) + " " + options;
      const auto kernel = session.kernel(source, "k", all.c_str());
      for (const Shape& shape : shapes) {
        const auto [x, y, z] = shape.global.size;
        const auto [a, b, c] = shape.local.size;
        CAPTURE(options, size, x, y, z, a, b, c);
        CHECK(check_launch(session, kernel, !options.empty(), shape) == size);
      }
    }
}

TEST_CASE("Sub-groups: counting groups on the side changes no sub-group", "[sub_groups]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global int* data, global int* count) {
      size_t i = get_global_id(0);
      data[i] = sub_group_reduce_add(1);
      atomic_inc(count);
    })",
                                     "k", "-cl-std=CL3.0");
  constexpr size_t groups = 4096, local = 24;
  const auto data = session.buffer(std::vector<cl_int>(groups * local)),
             count = session.buffer(std::vector<cl_int>(1));
  test::set_arguments(kernel, data, count);
  const cl_uint largest = queried(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local);
  for (int iteration = 0; iteration < 5; ++iteration)
    session.run(kernel, groups * local, local);
  const auto sizes = session.read<cl_int>(data, groups * local);
  size_t wrong = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const size_t first = i % local / largest * largest;
    wrong += size_t(sizes[i]) != std::min<size_t>(largest, local - first);
  }
  CHECK(wrong == 0);
  CHECK(session.read<cl_int>(count, 1)[0] == cl_int(5 * groups * local));
}

TEST_CASE("Sub-groups: queries about a kernel that has none give the same before and after launches",
          "[sub_groups]") {
  const test::Session session;
  const auto kernel =
      session.kernel("kernel void k(global float* x) { size_t i = get_global_id(0); x[i] = x[i] * 2 + 1; }",
                     "k", "-cl-std=CL3.0");
  constexpr size_t items = 6 << 16;
  const auto x = session.buffer(std::vector<float>(items));
  test::set_arguments(kernel, x);
  session.run(kernel, 64);
  const cl_uint before = queried(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 6);
  for (int iteration = 0; iteration < 100; ++iteration)
    session.run(kernel, items, 6);
  CHECK(queried(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 6) == before);
}

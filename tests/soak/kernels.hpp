#pragma once

// The kernels of the shared program. Their results depend neither on the size of work-groups that the driver
// chooses nor on that of sub-groups.

namespace soak {

constexpr const char* kernel_source = R"(
kernel void mix_ids(global uint* v, uint a, uint b) {
  v[get_global_linear_id()] = v[get_global_linear_id()] * a + b + (uint)get_global_id(0) +
                              3 * (uint)get_global_id(1) + 7 * (uint)get_global_id(2);
}
kernel void turn_groups(global uint* v, local uint* t) {
  size_t id = get_global_linear_id(), local_id = get_local_id(0);
  t[local_id] = v[id];
  barrier(CLK_LOCAL_MEM_FENCE);
  v[id] = t[get_local_size(0) - 1 - local_id];
}
kernel void group_sums(global const uint* v, global uint* total) {
  local uint sum;
  if (get_local_linear_id() == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&sum, v[get_global_linear_id()]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_linear_id() == 0) atomic_add(total, sum);
}
kernel void sub_group_sums(global const uint* v, global uint* total) {
  uint sum = sub_group_reduce_add(v[get_global_linear_id()]);
  if (get_sub_group_local_id() == 0) atomic_add(total, sum);
}
kernel void count(global uint* counters, uint first, uint x) {
  atomic_add(&counters[(first + get_global_linear_id()) % 64], x);
}
kernel void collatz(global uint* v, uint iterations) {
  uint x = v[get_global_linear_id()];
  for (uint i = 0; i < iterations && x != 1; ++i)
    x = x & 1 ? 3 * x + 1 : x / 2;
  v[get_global_linear_id()] = x;
}
)";

enum class Function { mix_ids, turn_groups, group_sums, sub_group_sums, count, collatz };
constexpr const char* function_names[] = {"mix_ids",        "turn_groups", "group_sums",
                                          "sub_group_sums", "count",       "collatz"};
constexpr unsigned function_count = 6;

} // namespace soak

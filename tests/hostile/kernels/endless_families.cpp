// Families of hostile kernels (kernel.hpp) that never end.

#include "hostile/kernels/kernel.hpp"

namespace test {

namespace {

/// In C, as opposed to C++, a loop whose condition is constant need not end.
Hostility endless_loop(Random& random) {
  return {.body = random.pick({"while (1);", "for (;;) o[1]++;", "again: o[1] += 3; goto again;",
                               "do { o[id] = o[id] * 3 + 1; } while (1);",
                               "for (;;) for (volatile int i = 0; i < 1000; ++i) o[6] += i;",
                               "if (id == 5) while (1);", "while (1) atomic_inc((volatile global int*)o);",
                               "float x = 1; while (1) { x = sin(x) + (float)b; o[id] = as_uint(x); }"}),
          .ending = Ending::stopped};
}

/// Loops that would end if a value changed, which no one changes.
Hostility endless_wait(Random& random) {
  return {.body = random.pick({"volatile int go = 1; while (go);",
                               "while (*(volatile global uint*)(o + 2) != 0x1234567u);",
                               "volatile local int* x = (volatile local int*)l; x[0] = 3; while (x[0] == 3);",
                               "while (atomic_or((volatile global int*)o + 3, 0) != 77);",
                               "while (atomic_cmpxchg((volatile global int*)o + 3, 77, 78) != 77);",
                               "volatile ulong x = b; while (x != 0) x = x * 5 | 1;"}),
          .ending = Ending::stopped};
}

/// Work-items and work-groups that wait for each other.
Hostility spin(Random& random) {
  return {
      .body = random.pick(
          {"volatile global int* flag = (volatile global int*)o + 16; const size_t n = get_global_size(0); "
           "while (atomic_or(flag + (id + 1) % n, 0) != 1); atomic_xchg(flag + id, 1);",
           "volatile local int* flag = (volatile local int*)l; flag[get_local_id(0)] = 0; "
           "barrier(CLK_LOCAL_MEM_FENCE); while (atomic_or(flag + (get_local_id(0) ^ 1), 0) != 1); "
           "atomic_xchg(flag + get_local_id(0), 1);",
           "volatile global int* flag = (volatile global int*)o + 16; const size_t n = get_num_groups(0); "
           "while (atomic_or(flag + (get_group_id(0) + 1) % n, 0) != 1); atomic_xchg(flag + get_group_id(0), "
           "1);",
           "volatile global int* flag = (volatile global int*)o + 16; if (get_group_id(0) == 0) "
           "while (atomic_or(flag, 0) != (int)get_num_groups(0)); else atomic_xchg(flag, 5);"}),
      .ending = Ending::stopped,
      .local = 16};
}

Hostility endless_barrier(Random& random) {
  return {.body = random.pick({"for (;;) { barrier(CLK_LOCAL_MEM_FENCE); l[get_local_id(0)] += 1; "
                               "barrier(CLK_LOCAL_MEM_FENCE); }",
                               "while (1) barrier(CLK_GLOBAL_MEM_FENCE);", "while (work_group_any(1));",
                               "uint x = id; do { x = work_group_reduce_add(x | 1); o[id] = x; } while (1);",
                               "while (1) { l[get_local_id(0)] = id; barrier(CLK_LOCAL_MEM_FENCE); o[id] = "
                               "l[get_local_id(0) ^ 1]; "
                               "barrier(CLK_LOCAL_MEM_FENCE); }"}),
          .ending = Ending::stopped,
          .local = std::size_t{1} << (1 + random.below(6))};
}

/// Endless calls of printf(). HOSTCL_PRINTF_SIZE limits their output, but not the number of calls.
Hostility endless_print(Random& random) {
  return {.body =
              "for (uint i = 0;; ++i) " +
              random.pick({"printf(\"flood\\n\");", "printf(\"%u %v4f %s\\n\", i, (float4)(i), \"text\");",
                           "if (id == 3) printf(\"%1000000d\\n\", i);", "o[1] += printf(\"\");"}),
          .ending = Ending::stopped};
}

/// Kernels that enqueue themselves.
Hostility children(Random& random) {
  const std::string flags = random.pick({"NO_WAIT", "WAIT_KERNEL", "WAIT_WORK_GROUP"});
  return {.body = "next(o, 0);",
          .ending = Ending::stopped,
          .declarations = "void next(global uint* o, uint depth) { o[depth % 64] = depth; while "
                          "(enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_" +
                          flags + ", ndrange_1D(" + random.pick({"1", "4"}) +
                          "), ^{ next(o, depth + 1); }) != 0); }",
          .global = 1};
}

/// A child kernel that waits for an event which no one completes.
Hostility child_waits(Random& random) {
  return {.body =
              std::string("clk_event_t e = create_user_event(); o[1] = enqueue_kernel(get_default_queue(), "
                          "CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &e, 0, ^{ o[2] = 3; });") +
              (random.one_in(2) ? "release_event(e);" : ""),
          .ending = Ending::stopped,
          .global = 1 + random.below(4)};
}

/// Endless writes to a pipe that stays full.
Hostility full_pipe(Random&) {
  return {.body = "uint x = id; while (1) o[1] += write_pipe(p, &x);",
          .ending = Ending::stopped,
          .extra = Extra::pipe};
}

constexpr Family all[] = {
    {"endless_loop", endless_loop},       {"endless_wait", endless_wait},   {"spin", spin},
    {"endless_barrier", endless_barrier}, {"endless_print", endless_print}, {"children", children},
    {"child_waits", child_waits},         {"full_pipe", full_pipe}};

} // namespace

std::span<const Family> endless_families() {
  return all;
}

} // namespace test

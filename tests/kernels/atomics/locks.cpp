// Loops that wait for another work-item. In a vector, the lane that holds a lock would wait for the others to
// leave the loop, and they for the lock; so such kernels run one work-item at a time. No work-item tries
// for ever: who gives up leaves a wrong sum.

#include "support/session.hpp"

namespace {

constexpr size_t items = 256, local = 32;

/// What stands between the declarations and the critical section: it may go on as soon as TRY was 0.
struct Loop {
  const char* name;
  const char* text;
};
constexpr Loop loops[] = {
    {"exit at the end", "while (TRY != 0) ++n;"},
    {"way out in the middle", "for (;; ++n) { int was = TRY; o[i] += n; if (was == 0) break; o[i] += i; }"},
    {"a flag", "bool got = false; while (!got) { if (TRY == 0) got = true; else o[i] += i; o[i] += ++n; }"},
    {"states", "int state = 5; while (state != 7) { ++n;"
               " switch (TRY) { case 0: o[i] = state; state = 7; break; case 1: o[i] += i; state = 5; break;"
               " default: o[i] += n; state = 6; } for (int j = 0; j < i; ++j) o[i] += j; }"},
    {"a jump into the loop", "if (i & 1) goto in; out: o[i] += n; in: ++n; if (TRY != 0) goto out;"},
    {"jumps between two parts",
     "if (i & 1) goto b; a: o[i] += n; if (n & 4) goto b; ++n; b: ++n;"
     " int was = TRY; o[i] += n; if (was != 0) { if (n & 2) goto a; else goto b; }"},
};

std::string kernel_with(const Loop& loop) {
  return std::string("#define TRY (++tries > 1 << 26 ? 0 : atomic_cmpxchg(lock, 0, 1))\n"
                     "kernel void k(global int* lock, global int* sum, global int* o) {\n"
                     "  int i = get_global_id(0), n = 0, tries = 0;\n  ") +
         loop.text +
         "\n  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);\n"
         "  *sum += i;\n"
         "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);\n"
         "  atomic_xchg(lock, 0);\n"
         "  if (tries > 1 << 26) *sum = -1;\n}";
}

} // namespace

TEST_CASE("Locks: each work-item gets through, however the loop is written", "[locks]") {
  const test::Session session;
  for (const Loop& loop : loops) {
    CAPTURE(loop.name);
    const auto kernel = session.kernel(kernel_with(loop).c_str(), "k", "-cl-std=CL3.0");
    auto lock = session.buffer(std::vector<cl_int>(1)), sum = session.buffer(std::vector<cl_int>(1)),
         out = session.buffer(std::vector<cl_int>(items));
    test::set_arguments(kernel, lock, sum, out);
    session.run(kernel, items, local);
    CHECK(session.read<cl_int>(sum, 1)[0] == cl_int(items * (items - 1) / 2));
  }
}

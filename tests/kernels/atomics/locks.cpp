// Loops that wait for another work-item. In a vector, the lane that holds a lock would wait for the others to
// leave the loop, and they for the lock; so such kernels run one work-item at a time. No work-item tries
// for ever: who gives up leaves a wrong sum.

#include "support/session.hpp"

#include <algorithm>

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

TEST_CASE("Locks: each work-item keeps what it has read under the lock across a barrier", "[locks]") {
  const char* const declarations =
      "#define LOCK(order) while (atomic_exchange_explicit(lock, 1, order, SCOPE)) ;\n"
      "#define UNLOCK(order) atomic_store_explicit(lock, 0, order, SCOPE);\n"
      "#define RELAXED memory_order_relaxed\n";
  struct Form {
    const char *name, *take, *give;
  };
  constexpr Form forms[] = {
      {"acquire and release", "LOCK(memory_order_acquire)", "UNLOCK(memory_order_release)"},
      {"sequential", "LOCK(memory_order_seq_cst)", "UNLOCK(memory_order_seq_cst)"},
      {"fences", "LOCK(RELAXED) atomic_work_item_fence(FLAGS, memory_order_acquire, SCOPE);",
       "atomic_work_item_fence(FLAGS, memory_order_release, SCOPE); UNLOCK(RELAXED)"},
      {"fences of OpenCL 1", "while (atomic_xchg((volatile SPACE int*)lock, 1)) ; mem_fence(FLAGS);",
       "mem_fence(FLAGS); atomic_xchg((volatile SPACE int*)lock, 0);"},
      {"compare and exchange",
       "for (int free = 0; !atomic_compare_exchange_strong_explicit(lock, &free, 1, memory_order_acquire, "
       "RELAXED, SCOPE); free = 0) ;",
       "UNLOCK(memory_order_release)"},
      {"a try in a loop",
       "for (bool got = false; !got; ) { int free = 0; if (atomic_compare_exchange_strong_explicit(lock, "
       "&free, 1, "
       "memory_order_acquire, RELAXED, SCOPE)) { got = true;",
       "UNLOCK(memory_order_release) } }"},
  };
  const test::Session session;
  for (const Form& form : forms)
    for (const bool is_local : {false, true}) {
      const std::string source =
          std::string(declarations) +
          "kernel void k(global atomic_int* lock_all, global int* next, global int* o) {\n" +
          (is_local ? "local atomic_int own; SPACE atomic_int* lock = &own;\n"
                      "if (get_local_id(0) == 0) atomic_init(lock, 0); barrier(CLK_LOCAL_MEM_FENCE);\n"
                    : "SPACE atomic_int* lock = lock_all; ") +
          "int x; next += " + (is_local ? "get_group_id(0)" : "0") + ";\n" + form.take +
          " x = *next; *next = x + 1; " + form.give +
          "\nbarrier(CLK_GLOBAL_MEM_FENCE); o[get_global_id(0)] = x;\n}";
      const std::string options =
          is_local ? "-cl-std=CL3.0 -DSPACE=local -DFLAGS=(CLK_LOCAL_MEM_FENCE|CLK_GLOBAL_MEM_FENCE) "
                     "-DSCOPE=memory_scope_work_group"
                   : "-cl-std=CL3.0 -DSPACE=global -DFLAGS=CLK_GLOBAL_MEM_FENCE -DSCOPE=memory_scope_device";
      CAPTURE(form.name, is_local);
      const auto kernel = session.kernel(source.c_str(), "k", options.c_str());
      for (const size_t group : {1, 16, 40}) {
        const size_t count = group * 4;
        auto lock = session.buffer(std::vector<cl_int>(1)), next = session.buffer(std::vector<cl_int>(4)),
             out = session.buffer(std::vector<cl_int>(count));
        test::set_arguments(kernel, lock, next, out);
        session.run(kernel, count, group);
        auto numbers = session.read<cl_int>(out, count);
        std::sort(numbers.begin(), numbers.end());
        size_t wrong = 0; // each group counts for itself, or all together
        for (size_t i = 0; i < count; ++i)
          wrong += numbers[i] != cl_int(is_local ? i / 4 : i);
        CAPTURE(group);
        CHECK(wrong == 0);
      }
    }
}

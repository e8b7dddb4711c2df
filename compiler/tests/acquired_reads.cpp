// Reads that work-items may find different values by, because an acquire comes before them.

#include "compiler/values/acquired_reads.hpp"

#include "compiler/tests/module_text.hpp"

using namespace hostcl::compiler;
using namespace llvm;

namespace {

/// A kernel that does something, and then reads the global, local, generic and constant memory that it is given.
bool are_acquired(const std::string& before, const char* read) {
  const ModuleText module(R"(
declare void @elsewhere()
declare i32 @reads(ptr addrspace(1)) memory(read)
define internal void @locks(ptr addrspace(1) %l) {
  %x = atomicrmw xchg ptr addrspace(1) %l, i32 1 acquire
  ret void
}
define internal void @calls_locks(ptr addrspace(1) %l) {
  call void @locks(ptr addrspace(1) %l)
  ret void
}
define internal void @plain(ptr addrspace(1) %l) {
  store i32 1, ptr addrspace(1) %l
  ret void
}
define spir_kernel void @k(ptr addrspace(1) %l, ptr addrspace(3) %s, ptr addrspace(1) %p, ptr addrspace(4) %any,
                           ptr addrspace(2) %c) {
)" + before + R"(
  %global = load i32, ptr addrspace(1) %p
  %local = load i32, ptr addrspace(3) %s
  %generic = load i32, ptr addrspace(4) %any
  %constant = load i32, ptr addrspace(2) %c
  %called = call i32 @reads(ptr addrspace(1) %p)
  ret void
})");
  Function& kernel = module.function("k");
  const AcquiredReads reads(kernel);
  return reads.contains(instruction_named(kernel, read));
}

constexpr const char* reads[] = {"global", "local", "generic", "called"};

} // namespace

TEST_CASE("Acquired reads: of all memory but constants, after atomics and calls that acquire",
          "[acquired_reads]") {
  for (const char* before : {
           "%o = atomicrmw xchg ptr addrspace(1) %l, i32 1 acquire",
           "%o = atomicrmw add ptr addrspace(3) %s, i32 1 acq_rel",
           "%o = atomicrmw add ptr addrspace(1) %l, i32 1 syncscope(\"workgroup\") seq_cst",
           "%o = load atomic i32, ptr addrspace(1) %l acquire, align 4",
           "%o = load atomic volatile i32, ptr addrspace(1) %l seq_cst, align 4",
           "%o = cmpxchg ptr addrspace(1) %l, i32 0, i32 1 acquire monotonic",
           "%o = cmpxchg ptr addrspace(1) %l, i32 0, i32 1 monotonic acquire",
           "%o = cmpxchg ptr addrspace(1) %l, i32 0, i32 1 release seq_cst",
           "%o = atomicrmw xchg ptr addrspace(1) %l, i32 1 monotonic\n fence acquire",
           "%o = load volatile i32, ptr addrspace(1) %l\n fence syncscope(\"singlethread\") acq_rel",
           "call void @locks(ptr addrspace(1) %l)",
           "call void @calls_locks(ptr addrspace(1) %l)",
           "call void @__hostcl_barrier(i32 3)\n %o = atomicrmw xchg ptr addrspace(1) %l, i32 1 acquire",
           "%o = atomicrmw xchg ptr addrspace(1) %l, i32 1 acquire\n call void @__hostcl_barrier(i32 0)",
       }) {
    CAPTURE(before);
    for (const char* read : reads) {
      CAPTURE(read);
      CHECK(are_acquired(before, read));
    }
    CHECK_FALSE(are_acquired(before, "constant"));
  }
}

TEST_CASE("Acquired reads: none after what orders nothing, or before a barrier that orders all",
          "[acquired_reads]") {
  for (const char* before : {
           "",
           "%o = atomicrmw xchg ptr addrspace(1) %l, i32 1 monotonic",
           "%o = atomicrmw xchg ptr addrspace(1) %l, i32 1 release",
           "store atomic i32 1, ptr addrspace(1) %l seq_cst, align 4",
           "%o = cmpxchg ptr addrspace(1) %l, i32 0, i32 1 release monotonic",
           "fence acq_rel",
           "fence acquire\n %o = atomicrmw xchg ptr addrspace(1) %l, i32 1 monotonic",
           "%o = atomicrmw xchg ptr addrspace(1) %l, i32 1 monotonic\n fence release",
           "fence acq_rel\n call void @__hostcl_barrier(i32 3)\n fence acq_rel",
           "%o = atomicrmw xchg ptr addrspace(1) %l, i32 1 acquire\n call void @__hostcl_barrier(i32 3)",
           "%o = load volatile i32, ptr addrspace(1) %l\n call void @__hostcl_barrier(i32 3)\n fence acquire",
           "call void @plain(ptr addrspace(1) %l)",
           "call void @elsewhere()",
       }) {
    CAPTURE(before);
    for (const char* read : reads) {
      CAPTURE(read);
      CHECK_FALSE(are_acquired(before, read));
    }
  }
}

TEST_CASE("Acquired reads: a barrier orders the memory of its flags alone", "[acquired_reads]") {
  const std::string lock = "%o = atomicrmw xchg ptr addrspace(1) %l, i32 1 acquire\n";
  const std::string local = lock + "call void @__hostcl_barrier(i32 1)",
                    global = lock + "call void @__hostcl_barrier(i32 2)";
  CHECK(are_acquired(local, "global"));
  CHECK_FALSE(are_acquired(local, "local"));
  CHECK(are_acquired(local, "generic"));
  CHECK_FALSE(are_acquired(global, "global"));
  CHECK(are_acquired(global, "local"));
  CHECK(are_acquired(global, "generic"));
}

TEST_CASE("Acquired reads: on some way to the read, also by way of a loop", "[acquired_reads]") {
  const ModuleText module(R"(
define spir_kernel void @k(ptr addrspace(1) %l, ptr addrspace(1) %p, i1 %c) {
entry:
  %first = load i32, ptr addrspace(1) %p
  br label %loop
loop:
  %inside = load i32, ptr addrspace(1) %p
  br i1 %c, label %lock, label %latch
lock:
  %o = atomicrmw xchg ptr addrspace(1) %l, i32 1 acquire
  br label %latch
latch:
  %after = load i32, ptr addrspace(1) %p
  br i1 %c, label %loop, label %end
end:
  %last = load i32, ptr addrspace(1) %p
  call void @__hostcl_barrier(i32 2)
  %behind = load i32, ptr addrspace(1) %p
  ret void
})");
  Function& kernel = module.function("k");
  const AcquiredReads reads(kernel);
  for (const char* name : {"inside", "after", "last"})
    CHECK(reads.contains(instruction_named(kernel, name)));
  for (const char* name : {"first", "behind"})
    CHECK_FALSE(reads.contains(instruction_named(kernel, name)));
}

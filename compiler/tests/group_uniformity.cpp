// Which values work-items of a group share: sources of difference, divergent control flow, and loops that are left at
// different times.

#include "compiler/values/group_uniformity.hpp"

#include "compiler/tests/module_text.hpp"

using namespace hostcl::compiler;
using namespace llvm;

namespace {

const char* const straight = R"(
declare i32 @pure(i32) memory(none)
declare i32 @reads(ptr addrspace(1)) memory(read)
declare i32 @effect(i32)
declare i32 @__hostcl_sub_group_reduce_add_i32(i32)
define spir_kernel void @k(i32 %n, ptr addrspace(1) %p, ptr addrspace(3) %t, ptr %q) {
  %x = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %size = call i64 @__hostcl_local_size(i32 0)
  %lane = call i32 @__hostcl_sub_group_lane()
  %sub = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %n)
  %own = alloca i32
  %loaded = load i32, ptr addrspace(1) %p
  %shared = load i32, ptr addrspace(3) %t
  %private = load i32, ptr %own
  %changing = load volatile i32, ptr addrspace(1) %p
  %ordered = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %pair = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic
  %sum = add i32 %loaded, %n
  %id = add i64 %g, %x
  %element = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %at = load i32, ptr addrspace(1) %element
  %computed = call i32 @pure(i32 %n)
  %computed.own = call i32 @pure(i32 %at)
  %read = call i32 @reads(ptr addrspace(1) %p)
  %result = call i32 @effect(i32 %n)
  %frozen = freeze i32 %sum
  ret void
}
)";

const char* const branches = R"(
define spir_kernel void @k(i64 %n, i1 %c, ptr addrspace(1) %p) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %odd = trunc i64 %x to i1
  br i1 %odd, label %then, label %join
then:
  br label %join
join:
  %parted = phi i64 [ 1, %entry ], [ 2, %then ]
  %same = phi i64 [ 3, %entry ], [ 3, %then ]
  br i1 %c, label %yes, label %merge
yes:
  br label %merge
merge:
  %together = phi i64 [ 1, %join ], [ 2, %yes ]
  br label %loop
loop:
  %i = phi i64 [ 0, %merge ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %x
  br i1 %more, label %loop, label %after
after:
  %last = phi i64 [ %next, %loop ]
  br label %shared
shared:
  %k = phi i64 [ 0, %after ], [ %k.next, %shared ]
  %k.next = add i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %shared, label %end
end:
  %k.last = phi i64 [ %k.next, %shared ]
  ret void
}
)";

} // namespace

TEST_CASE("Group uniformity: ids, private memory, atomics and unknown calls differ, their operands do not",
          "[group_uniformity]") {
  const ModuleText module(straight);
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  for (const char* name : {"g", "size", "loaded", "shared", "sum", "computed", "read", "frozen"}) {
    CAPTURE(name);
    CHECK(uniformity.is_uniform(instruction_named(kernel, name)));
  }
  for (const char* name : {"x", "lane", "sub", "own", "private", "changing", "ordered", "old", "pair", "id",
                           "element", "at", "computed.own", "result"}) {
    CAPTURE(name);
    CHECK_FALSE(uniformity.is_uniform(instruction_named(kernel, name)));
  }
}

TEST_CASE("Group uniformity: values merge differently where work-items part, and after loops that they leave "
          "one by one",
          "[group_uniformity]") {
  const ModuleText module(branches);
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  for (const char* name : {"same", "together", "k", "k.next", "k.last"}) {
    CAPTURE(name);
    CHECK(uniformity.is_uniform(instruction_named(kernel, name)));
  }
  for (const char* name : {"parted", "last", "next", "more"}) {
    CAPTURE(name);
    CHECK_FALSE(uniformity.is_uniform(instruction_named(kernel, name)));
  }
  CHECK(uniformity.has_divergent_branch(block_named(kernel, "entry")));
  CHECK_FALSE(uniformity.has_divergent_branch(block_named(kernel, "join")));
  CHECK(uniformity.has_divergent_branch(block_named(kernel, "loop")));
  CHECK_FALSE(uniformity.has_divergent_branch(block_named(kernel, "shared")));
  CHECK(uniformity.loops_part_around(instruction_named(kernel, "i")));
  CHECK_FALSE(uniformity.loops_part_around(instruction_named(kernel, "k")));
  CHECK_FALSE(uniformity.loops_part_around(instruction_named(kernel, "together")));
}

TEST_CASE("Group uniformity: work-items that part in a loop's header leave it elsewhere at different times",
          "[group_uniformity]") {
  const ModuleText module(R"(
define spir_kernel void @k(i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %y = mul i64 %i, 5
  %some = icmp ult i64 %x, %i
  br i1 %some, label %rest, label %latch
rest:
  %stop = icmp uge i64 %i, %n
  br i1 %stop, label %after, label %latch
latch:
  %next = add i64 %i, 1
  br label %loop
after:
  %use = add i64 %y, 1
  ret void
})");
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  CHECK(uniformity.loops_part_around(instruction_named(kernel, "y")));
  CHECK_FALSE(uniformity.is_uniform(instruction_named(kernel, "y")));
  CHECK_FALSE(uniformity.is_uniform(instruction_named(kernel, "use")));
}

TEST_CASE("Group uniformity: a circle with two entries that work-items choose differently",
          "[group_uniformity]") {
  const ModuleText module(R"(
define spir_kernel void @k(i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %odd = trunc i64 %x to i1
  br i1 %odd, label %a, label %b
a:
  %i = phi i64 [ 0, %entry ], [ %k, %b ]
  br label %b
b:
  %k = phi i64 [ 7, %entry ], [ %i, %a ]
  %more = icmp ult i64 %k, %n
  br i1 %more, label %a, label %end
end:
  ret void
})");
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  CHECK_FALSE(uniformity.is_uniform(instruction_named(kernel, "i")));
  CHECK_FALSE(uniformity.is_uniform(instruction_named(kernel, "k")));
  CHECK(uniformity.has_divergent_branch(block_named(kernel, "b")));
}

TEST_CASE(
    "Group uniformity: a phi of one value and undefined ones differs where work-items part, and only there",
    "[group_uniformity]") {
  const ModuleText module(R"(
define spir_kernel void @k(ptr addrspace(1) %p, i1 %c) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %odd = trunc i64 %x to i1
  br i1 %odd, label %then, label %join
then:
  %a = load i32, ptr addrspace(1) %p
  br label %join
join:
  %parted = phi i32 [ %a, %then ], [ undef, %entry ]
  %poisoned = phi i32 [ poison, %entry ], [ %a, %then ]
  %constant = phi i32 [ 0, %then ], [ undef, %entry ]
  %vector = phi <2 x i32> [ <i32 1, i32 2>, %then ], [ poison, %entry ]
  %used = add i32 %parted, 1
  br i1 %c, label %yes, label %merge
yes:
  %b = load i32, ptr addrspace(1) %p
  br label %merge
merge:
  %together = phi i32 [ %b, %yes ], [ undef, %join ]
  %nothing = phi i32 [ undef, %yes ], [ undef, %join ]
  br label %loop
loop:
  %carried = phi i32 [ poison, %merge ], [ %d, %latch ], [ poison, %more ]
  %d = load i32, ptr addrspace(1) %p
  br i1 %odd, label %more, label %latch
more:
  br label %loop
latch:
  br i1 %c, label %loop, label %end
end:
  ret void
})");
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  for (const char* name : {"a", "together", "nothing"}) {
    CAPTURE(name);
    CHECK(uniformity.is_uniform(instruction_named(kernel, name)));
  }
  for (const char* name : {"parted", "poisoned", "constant", "vector", "used", "carried"}) {
    CAPTURE(name);
    CHECK_FALSE(uniformity.is_uniform(instruction_named(kernel, name)));
  }
  auto& phi = cast<PHINode>(instruction_named(kernel, "parted"));
  CHECK(isa<UndefValue>(phi.getIncomingValueForBlock(&kernel.getEntryBlock()))); // the function is as it was
}

TEST_CASE("Group uniformity: all work-items reach a block if no divergent branch decides about it",
          "[group_uniformity]") {
  const ModuleText module(R"(
define spir_kernel void @k(i64 %n, i1 %c) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %join
some:
  br i1 %c, label %some.inner, label %join
some.inner:
  br label %join
join:
  br i1 %c, label %all, label %loops
all:
  br label %loops
loops:
  br label %counted
counted:
  %i = phi i64 [ 0, %loops ], [ %next, %counted ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %counted, label %between
between:
  br label %own
own:
  %j = phi i64 [ %x, %between ], [ %next.own, %own.latch ]
  br label %own.inner
own.inner:
  %k = phi i64 [ 0, %own ], [ %next.k, %own.inner ]
  %next.k = add i64 %k, 1
  %more.k = icmp ult i64 %next.k, %n
  br i1 %more.k, label %own.inner, label %own.latch
own.latch:
  %next.own = add i64 %j, 1
  %more.own = icmp ult i64 %next.own, %n
  br i1 %more.own, label %own, label %after
after:
  br label %turn
turn:
  %left = phi i64 [ %x, %after ], [ %fewer, %wait ], [ %x, %again ]
  %waits = icmp ugt i64 %left, 0
  br i1 %waits, label %wait, label %later
wait:
  %fewer = sub i64 %left, 1
  br label %turn
later:
  br i1 %c, label %leave, label %again
again:
  br label %turn
leave:
  br i1 %odd, label %return.early, label %rest
return.early:
  ret void
rest:
  ret void
})");
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  const auto all_reach = [&](StringRef name) {
    return uniformity.all_reach(
        *find_if(kernel, [&](const BasicBlock& block) { return block.getName() == name; }));
  };
  for (const char* name : {"entry", "join", "all", "loops", "counted", "between", "after", "leave"}) {
    CAPTURE(name);
    CHECK(all_reach(name));
  }
  // Some work-items run none of these blocks, or fewer iterations, or return early, or run %later in other iterations.
  for (const char* name : {"some", "some.inner", "own", "own.inner", "own.latch", "turn", "wait", "later",
                           "return.early", "rest"}) {
    CAPTURE(name);
    CHECK_FALSE(all_reach(name));
  }
}

TEST_CASE("Group uniformity: what is frozen differs if it may be undefined", "[group_uniformity]") {
  const ModuleText module(R"(
define spir_kernel void @k(ptr addrspace(1) %p, i1 %c, i32 %n) {
entry:
  br i1 %c, label %yes, label %merge
yes:
  %b = load i32, ptr addrspace(1) %p
  br label %merge
merge:
  %together = phi i32 [ %b, %yes ], [ undef, %entry ]
  %sum = add i32 %together, 1
  %frozen = freeze i32 %sum
  %more = mul i32 %frozen, 3
  %any = freeze i32 poison
  %defined = freeze i32 %n
  %pair = insertelement <2 x i32> poison, i32 %n, i32 0
  %full = shufflevector <2 x i32> %pair, <2 x i32> poison, <2 x i32> zeroinitializer
  %frozen.full = freeze <2 x i32> %full
  ret void
})");
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  for (const char* name : {"together", "sum", "defined", "frozen.full"})
    CHECK(uniformity.is_uniform(instruction_named(kernel, name)));
  for (const char* name : {"frozen", "more", "any"})
    CHECK_FALSE(uniformity.is_uniform(instruction_named(kernel, name)));
}

TEST_CASE("Group uniformity: work-items that have synchronised without a barrier read different values",
          "[group_uniformity]") {
  const ModuleText module(R"(
define spir_kernel void @k(ptr addrspace(1) %lock, ptr addrspace(1) %p) {
  %before = load i32, ptr addrspace(1) %p
  %old = atomicrmw xchg ptr addrspace(1) %lock, i32 1 acquire
  %locked = load i32, ptr addrspace(1) %p
  call void @__hostcl_barrier(i32 2)
  %after = load i32, ptr addrspace(1) %p
  ret void
})");
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  CHECK(uniformity.is_uniform(instruction_named(kernel, "before")));
  CHECK_FALSE(uniformity.is_uniform(instruction_named(kernel, "locked")));
  CHECK(uniformity.is_uniform(instruction_named(kernel, "after")));
}

TEST_CASE(
    "Group uniformity: work-items that run a barrier in different iterations miss every block of its loops",
    "[group_uniformity]") {
  const ModuleText module(R"(
define spir_kernel void @k(i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %outer
outer:
  %k = phi i64 [ 1, %entry ], [ %k1, %more ]
  %j = phi i64 [ 0, %entry ], [ %a, %more ]
  br label %inner
inner:
  %i = phi i64 [ %j, %outer ], [ %a, %inner ]
  call void @__hostcl_barrier(i32 1)
  %a = add i64 %i, 1
  %leave = icmp eq i64 %a, %x
  br i1 %leave, label %more, label %inner
more:
  %k1 = add i64 %k, 1
  %done = icmp ugt i64 %k1, %n
  br i1 %done, label %between, label %outer
between:
  br label %own
own:
  %m = phi i64 [ 0, %between ], [ %m1, %own ]
  %m1 = add i64 %m, 1
  %again = icmp ult i64 %m1, %x
  br i1 %again, label %own, label %end
end:
  ret void
})");
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  for (const char* name : {"outer", "inner", "more", "own"}) {
    CAPTURE(name);
    CHECK(uniformity.may_be_missed(block_named(kernel, name)));
    CHECK_FALSE(uniformity.all_reach(block_named(kernel, name)));
  }
  for (const char* name : {"entry", "between", "end"}) {
    CAPTURE(name);
    CHECK_FALSE(uniformity.may_be_missed(block_named(kernel, name)));
    CHECK(uniformity.all_reach(block_named(kernel, name)));
  }
}

TEST_CASE("Group uniformity: work-items join in different iterations of a loop with a barrier",
          "[group_uniformity]") {
  const ModuleText module(R"(
define spir_kernel void @k(i64 %n) {
entry:
  %x = call i64 @__hostcl_local_id(i32 0)
  br label %header
header:
  %k = phi i64 [ 0, %entry ], [ %k1, %header ], [ %k1, %join ]
  %k1 = add i64 %k, 1
  %again = icmp ult i64 %k1, %x
  br i1 %again, label %header, label %join
join:
  call void @__hostcl_barrier(i32 1)
  %v = urem i64 %k1, 77
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %header, label %end
end:
  ret void
})");
  Function& kernel = module.function("k");
  const GroupUniformity uniformity(kernel);
  for (const char* name : {"header", "join"}) {
    CAPTURE(name);
    CHECK(uniformity.may_be_missed(block_named(kernel, name)));
    CHECK_FALSE(uniformity.all_reach(block_named(kernel, name)));
  }
}

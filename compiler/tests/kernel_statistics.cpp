// What is known of a kernel's loops, accesses and operations.

#include "compiler/values/kernel_statistics.hpp"

#include "compiler/jobs/packing.hpp"
#include "compiler/tests/module_text.hpp"
#include "support/catch.hpp"

using namespace hostcl::compiler;

namespace {

using Kind = FormulaStep::Kind;

KernelStatistics statistics(const std::string& text) {
  const ModuleText module(text);
  return statistics_of(module.function("k"));
}

/// sum += m[row * n + k], in a loop of n iterations; row is the global id.
constexpr const char* walked_rows = R"(
define void @k(ptr addrspace(1) %m, ptr addrspace(1) %sums, i64 %n) {
entry:
  %l = call i64 @__hostcl_local_id(i32 0)
  %g = call i64 @__hostcl_group_id(i32 0)
  %s = call i64 @__hostcl_enqueued_local_size(i32 0)
  %start = mul i64 %g, %s
  %row = add i64 %start, %l
  %first = mul i64 %row, %n
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = add i64 %first, %i
  %p = getelementptr float, ptr addrspace(1) %m, i64 %at
  %v = load float, ptr addrspace(1) %p
  %more = fadd float %sum, %v
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %all = phi float [ 0.0, %entry ], [ %more, %loop ]
  %q = getelementptr float, ptr addrspace(1) %sums, i64 %row
  store float %all, ptr addrspace(1) %q
  ret void
}
)";

bool names_argument(const Formula& formula, std::int64_t number) {
  return std::ranges::find(formula, FormulaStep{Kind::argument, number}) != formula.end();
}

} // namespace

TEST_CASE("the stride of rows is a formula of the arguments", "[kernel_statistics]") {
  const KernelStatistics found = statistics(walked_rows);
  REQUIRE(found.accesses.size() == 2);
  const AccessStatistics& load = found.accesses[0];
  CHECK(!load.is_write);
  CHECK(load.argument == 0);
  CHECK(load.loop == 0);
  CHECK(load.bytes == 4);
  CHECK(names_argument(load.strides[0], 2));
  CHECK(load.step == Formula{{Kind::constant, 4}});
  CHECK(!load.stays);
  CHECK(!load.from_memory);
  CHECK(load.often == 1);
  CHECK(!load.is_conditional);
}

TEST_CASE("a guard and the test before a loop are not conditions", "[kernel_statistics]") {
  const KernelStatistics found = statistics(walked_rows);
  REQUIRE(found.loops.size() == 1);
  CHECK(names_argument(found.loops[0].iterations, 2));
  REQUIRE(found.work.size() == 2);
  CHECK(found.work[1].floats == 1);
  CHECK(!found.is_conditional);
  const AccessStatistics& store = found.accesses[1];
  CHECK(store.is_write);
  CHECK(store.loop == -1);
  CHECK(store.often == 1);
}

TEST_CASE("an index that was read, and a condition on data", "[kernel_statistics]") {
  const KernelStatistics found = statistics(R"(
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %index) {
  %l = call i64 @__hostcl_local_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %index, i64 %l
  %i = load i64, ptr addrspace(1) %p
  %q = getelementptr <4 x float>, ptr addrspace(1) %a, i64 %i
  %c = icmp sgt i64 %i, 5
  br i1 %c, label %some, label %others
some:
  store <4 x float> zeroinitializer, ptr addrspace(1) %q
  br label %end
others:
  store <4 x float> splat (float 1.0), ptr addrspace(1) %q
  br label %end
end:
  store i64 0, ptr addrspace(1) %p
  ret void
}
)");
  REQUIRE(found.accesses.size() == 4);
  CHECK(found.accesses[0].strides[0].back() == FormulaStep{Kind::add, 0});
  for (const std::size_t half : {1, 2}) {
    CHECK(found.accesses[half].from_memory);
    CHECK(found.accesses[half].bytes == 16);
    CHECK(found.accesses[half].often == 0.5);
    CHECK(found.accesses[half].is_conditional);
  }
  CHECK(found.accesses[3].often == 1);
  CHECK(!found.accesses[3].is_conditional);
}

TEST_CASE("a loop whose end depends on data has no number", "[kernel_statistics]") {
  const KernelStatistics found = statistics(R"(
define void @k(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  store float %v, ptr addrspace(1) %a
  %next = add i64 %i, 1
  %again = fcmp olt float %v, 1.0
  br i1 %again, label %loop, label %end
end:
  ret void
}
)");
  REQUIRE(found.loops.size() == 1);
  CHECK(found.loops[0].iterations == Formula{FormulaStep()});
  REQUIRE(found.accesses.size() == 2);
  CHECK(found.accesses[1].stays);
}

TEST_CASE("a kernel's statistics as bytes are the same again, and refused where bytes are missing",
          "[kernel_statistics]") {
  const KernelStatistics found = statistics(walked_rows);
  const std::vector<std::byte> bytes = packed(found);
  KernelStatistics again;
  CHECK(unpack(bytes, again));
  CHECK(again == found);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    KernelStatistics damaged;
    CHECK_FALSE(unpack(std::span(bytes).first(size), damaged));
  }
}

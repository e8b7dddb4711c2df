// What transformations ask of loops: the comparison on an edge, and what passes from row to row of a nest.

#include "compiler/values/loop_nest.hpp"

#include "compiler/tests/module_text.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace hostcl::compiler;
using namespace llvm;

namespace {

const char* const text = R"(
define spir_kernel void @k(ptr addrspace(1) %p, i64 %n, i64 %rows) {
entry:
  br label %row
row:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  %by.row = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %y
  br label %inner
inner:
  %k = phi i64 [ 0, %row ], [ %k.next, %inner ]
  %by.k = getelementptr <4 x i32>, ptr addrspace(1) %p, i64 %k
  %shared = load <4 x i32>, ptr addrspace(1) %by.k
  %own = load <4 x i32>, ptr addrspace(1) %by.row
  %k.next = add i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %inner, label %end
end:
  %y.next = add i64 1, %y
  %left = icmp ult i64 %y.next, %rows
  br i1 %left, label %row, label %done, !llvm.loop !0
done:
  %after = add i64 %y.next, 1
  ret void
}
define spir_kernel void @without_mark(i64 %n) {
entry:
  br label %row
row:
  br label %inner
inner:
  br i1 false, label %inner, label %end
end:
  br i1 false, label %row, label %done
done:
  ret void
}
define spir_kernel void @decides_nothing(i64 %n) {
entry:
  %test = icmp ult i64 %n, 8
  br i1 %test, label %end, label %end
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"hostcl.items"}
)";

/// The outermost loop of a kernel.
struct OfKernel {
  explicit OfKernel(Function& kernel) : dominators(kernel), loops(dominators), rows(**loops.begin()) {}

  DominatorTree dominators;
  LoopInfo loops;
  Loop& rows;
};

} // namespace

TEST_CASE("Loop nests: a loop over work-items with its inner loop; other loops are none", "[loop_nest]") {
  const ModuleText module(text);
  const OfKernel found(module.function("k"));
  const auto nest = LoopNest::of(found.rows);
  REQUIRE(nest);
  CHECK(nest->body->getName() == "inner");
  CHECK(nest->entry->getName() == "row");
  CHECK(nest->latch->getName() == "end");
  CHECK(nest->shared_bytes() == 16);
  CHECK_FALSE(LoopNest::of(nest->inner));
  CHECK_FALSE(LoopNest::of(OfKernel(module.function("without_mark")).rows));
}

TEST_CASE("Loop nests: an induction variable's last value is the only one that may be used after the rows",
          "[loop_nest]") {
  const ModuleText module(text);
  Function& kernel = module.function("k");
  const OfKernel found(kernel);
  const auto nest = LoopNest::of(found.rows);
  REQUIRE(nest);
  CHECK(nest->only_counts());
  Instruction& after = instruction_named(kernel, "after");
  after.setOperand(0, &instruction_named(kernel, "y"));
  CHECK_FALSE(nest->only_counts());
  after.eraseFromParent();
  CHECK(nest->only_counts());
}

TEST_CASE("Comparison on an edge: inverted on the second edge; none if both edges lead to one block",
          "[loop_nest]") {
  const ModuleText module(text);
  Function& kernel = module.function("k");
  const BasicBlock& end = block_named(kernel, "end");
  const auto stays = Comparison::on_edge(end, block_named(kernel, "row"));
  REQUIRE(stays);
  CHECK(stays->predicate == CmpInst::ICMP_ULT);
  CHECK(stays->swapped().predicate == CmpInst::ICMP_UGT);
  CHECK(stays->swapped().right == stays->left);
  CHECK(Comparison::on_edge(end, block_named(kernel, "done"))->predicate == CmpInst::ICMP_UGE);
  Function& other = module.function("decides_nothing");
  CHECK_FALSE(Comparison::on_edge(other.getEntryBlock(), block_named(other, "end")));
}

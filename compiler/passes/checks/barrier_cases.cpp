// Splits the cases that lead to a barrier from a switch, for HOSTCL_CHECK=divergence: each becomes a branch before the
// switch. Work-items may then have different cases without being reported, unless only some of them reach the barrier.
// Such a switch results from a call through a pointer to one of several functions, one of which has a barrier.
//
//   before:  switch i64 %n, label %none [ i64 1, label %plain   i64 2, label %waits ]      %waits leads to a barrier
//
//   after:   %barrier.case = icmp eq i64 %n, 2
//            br i1 %barrier.case, label %waits, label %rest
//          rest:
//            switch i64 %n, label %none [ i64 1, label %plain ]
//
// In:   kernels in SSA form whose calls are inlined, before lower-switch and check-divergence.
// Test: tests/passes/checks/barrier_cases.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

using Ways = SmallSetVector<BasicBlock*, 4>;

/// The successors of the switch from which a barrier may be reached before the switch's post-dominator.
Ways ways_to_barriers(SwitchInst& choice, ArrayRef<BasicBlock*> barriers, const PostDominatorTree& tree) {
  SmallPtrSet<BasicBlock*, 2> ends{choice.getParent()};
  const auto* node = tree.getNode(choice.getParent());
  if (const auto* meeting = node ? node->getIDom() : nullptr; meeting && meeting->getBlock())
    ends.insert(meeting->getBlock());
  Ways found;
  for (BasicBlock* way : successors(choice.getParent()))
    if (!ends.contains(way) && any_of(barriers, [&](BasicBlock* barrier) {
          return !ends.contains(barrier) && isPotentiallyReachable(way, barrier, &ends, nullptr, nullptr);
        }))
      found.insert(way);
  return found;
}

/// Writes the condition that the switch goes to `way`: the value is one of the cases of `way`, or, if `way` is the
/// default, none of the other cases.
Value* goes_to(IRBuilder<>& builder, SwitchInst& choice, const BasicBlock& way) {
  const bool is_default = choice.getDefaultDest() == &way;
  SmallVector<Value*, 4> equal;
  for (const auto& each : choice.cases())
    if ((each.getCaseSuccessor() == &way) != is_default)
      equal.push_back(builder.CreateICmpEQ(choice.getCondition(), each.getCaseValue()));
  Value* one_of_them = builder.CreateOr(equal);
  return is_default ? builder.CreateNot(one_of_them, "barrier.case") : one_of_them;
}

/// Removes the cases that go to the block. The phis of the block are not changed.
void remove_cases(SwitchInst& choice, const BasicBlock& way) {
  for (auto each = choice.case_begin(); each != choice.case_end();)
    if (each->getCaseSuccessor() == &way)
      each = choice.removeCase(each);
    else
      ++each;
}

/// Removes the block from the switch's successors. If the block was the default, another successor becomes the default.
void leave_out(SwitchInst& choice, const BasicBlock& way) {
  remove_cases(choice, way);
  if (choice.getDefaultDest() != &way) return;
  BasicBlock* other = choice.case_begin()->getCaseSuccessor();
  const auto edges = count(successors(&choice), other);
  remove_cases(choice, *other);
  choice.setDefaultDest(other);
  for (PHINode& phi : other->phis())
    for (auto left = edges; left > 1; --left)
      phi.removeIncomingValue(choice.getParent(), false);
}

/// Splits the block off the switch: inserts a branch to the block before the switch.
void split_off(SwitchInst& choice, BasicBlock& way) {
  BasicBlock* front = choice.getParent();
  BasicBlock* rest = SplitBlock(front, &choice);
  for (PHINode& phi : way.phis()) {
    Value* value = phi.getIncomingValueForBlock(rest);
    phi.removeIncomingValueIf([&](unsigned each) { return phi.getIncomingBlock(each) == rest; }, false);
    phi.addIncoming(value, front);
  }
  IRBuilder<> builder(front->getTerminator());
  builder.SetCurrentDebugLocation(choice.getDebugLoc());
  Value* condition = goes_to(builder, choice, way);
  leave_out(choice, way);
  ReplaceInstWithInst(front->getTerminator(), BranchInst::Create(&way, rest, condition));
}

} // namespace

PreservedAnalyses barrier_cases_pass(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  SmallVector<BasicBlock*, 8> barriers;
  SmallVector<SwitchInst*, 4> choices;
  for (Instruction& instruction : instructions(function)) {
    if (is_call_of(instruction, Intrinsic::barrier)) barriers.push_back(instruction.getParent());
    if (auto* choice = dyn_cast<SwitchInst>(&instruction)) choices.push_back(choice);
  }
  bool changed = false;
  for (SwitchInst* choice : choices) {
    const Ways ways = ways_to_barriers(*choice, barriers, PostDominatorTree(function));
    for (BasicBlock* way : ways) {
      if (all_of(successors(choice), [&](BasicBlock* each) { return each == way; })) break;
      split_off(*choice, *way);
      changed = true;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hostcl::compiler

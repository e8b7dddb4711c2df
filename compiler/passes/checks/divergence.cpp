// Checks that all work-items of a group reach the same barriers (HOSTCL_CHECK=divergence). At each divergent branch
// that decides whether a barrier is reached, the kernel compares the work-items' conditions; this is a convergence
// check. If the conditions differ, a finding is reported. Work-items whose condition is that of the first work-item to
// arrive at the check continue, and the others end.
//
//   before:  br i1 %c, label %then, label %end             a barrier depends on it, and %c may be divergent
//
//   after:   %reaches = zext i1 (freeze %c) to i32                              1: goes on to the barrier (a sketch)
//            call void @__hostcl_convergence_arrive(i32 %reaches, i64 local ids x 3, i64 group ids x 3)
//            call void @__hostcl_barrier(i32 0)
//            %first = call i32 @__hostcl_convergence_result(ptr @site)          reports if the work-items diverge
//            call void @__hostcl_barrier(i32 0)
//            %converged = icmp eq i32 %reaches, %first
//            br i1 %converged, label %go, label %divergent
//          divergent:                                           work-items that disagree end here
//            ret void
//          go:
//            br i1 (%first != 0), label %then, label %end
//
// The pass also checks branches on which a checked branch is control-dependent, branches that leave a loop around a
// barrier, and branches that return before a barrier. Two kinds of branches are not checked, and their divergence is
// not found: a branch both successors of which may lead to the barrier, and all branches that are control-dependent on
// such a branch. Uniform branches are not changed.
//
// In:  kernels in SSA form whose calls are inlined, without switches (barrier_cases.cpp has run), before the
//      vectoriser.
// Tests: tests/passes/checks/check_divergence*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/kernel_shape.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"
#include "compiler/values/group_uniformity.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// How a branch decides whether work-items reach a barrier.
struct Decision {
  CallBase* barrier;
  bool when; ///< the value of the condition for which the barrier is reached
};
using Decisions = MapVector<BranchInst*, Decision>;

/// For each block, the edges on which it is control-dependent: a branch, and the condition's value.
using Dependences = DenseMap<BasicBlock*, SmallVector<std::pair<BranchInst*, bool>, 2>>;

Dependences dependences_of(Function& kernel, const PostDominatorTree& tree) {
  Dependences found;
  for (BasicBlock& block : kernel) {
    auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || !tree.getNode(&block)) continue;
    const auto* meeting = tree.getNode(&block)->getIDom();
    for (const bool condition : {true, false})
      for (const auto* node = tree.getNode(branch->getSuccessor(condition ? 0 : 1));
           node && node != meeting && node->getBlock(); node = node->getIDom())
        found[node->getBlock()].push_back({branch, condition});
  }
  return found;
}

/// The branches on which barriers are control-dependent, directly or through other branches.
Decisions decisions_in(Function& kernel, const Dependences& dependences) {
  Decisions decisions;
  SmallVector<std::pair<BasicBlock*, CallBase*>, 16> open;
  for (Instruction& instruction : instructions(kernel))
    if (is_call_of(instruction, Intrinsic::barrier))
      open.push_back({instruction.getParent(), cast<CallBase>(&instruction)});
  while (!open.empty()) {
    const auto [block, barrier] = open.pop_back_val();
    for (const auto& [branch, condition] : dependences.lookup(block))
      if (decisions.insert({branch, {barrier, condition}}).second)
        open.push_back({branch->getParent(), barrier});
  }
  return decisions;
}

/// Whether both successors may lead to the barrier before the branch's post-dominator, so that the branch alone decides
/// nothing.
bool leads_there_both_ways(BranchInst& branch, const Decision& decision, const PostDominatorTree& tree) {
  SmallPtrSet<BasicBlock*, 2> ends{branch.getParent()};
  if (const auto* meeting = tree.getNode(branch.getParent())->getIDom(); meeting && meeting->getBlock())
    ends.insert(meeting->getBlock());
  return all_of(branch.successors(), [&](BasicBlock* way) {
    return !ends.contains(way) &&
           isPotentiallyReachable(way, decision.barrier->getParent(), &ends, nullptr, nullptr);
  });
}

/// The branches that get a convergence check. Such a branch is divergent, and all work-items of a group reach it unless
/// an earlier convergence check has failed.
Decisions checked_branches_in(Function& kernel, const GroupUniformity& uniformity) {
  const PostDominatorTree tree(kernel);
  const Dependences dependences = dependences_of(kernel, tree);
  Decisions checked = decisions_in(kernel, dependences);
  checked.remove_if(
      [&](const auto& each) { return !uniformity.has_divergent_branch(*each.first->getParent()); });
  // Blocks that perhaps only some work-items of a group reach: blocks with branches that are not checked, and blocks
  // that are control-dependent on them, directly or indirectly.
  SetVector<BasicBlock*> divergent;
  for (const auto& [branch, decision] : checked)
    if (leads_there_both_ways(*branch, decision, tree)) divergent.insert(branch->getParent());
  for (unsigned i = 0; i < divergent.size(); ++i)
    for (const auto& [block, edges] : dependences)
      if (any_of(edges, [&](const auto& edge) { return edge.first->getParent() == divergent[i]; }))
        divergent.insert(block);
  checked.remove_if([&](const auto& each) { return divergent.contains(each.first->getParent()); });
  return checked;
}

void write_convergence_check(BranchInst& branch, const Decision& decision) {
  LLVMContext& context = branch.getContext();
  Constant* barrier = site_of(*decision.barrier, {.check = Check::divergence});
  Constant* site = site_of(branch, {.check = Check::divergence, .other = barrier});
  BasicBlock* block = branch.getParent();
  IRBuilder<> builder(&branch);
  Value* condition = builder.CreateFreeze(branch.getCondition());
  Value* arrival =
      builder.CreateZExt(decision.when ? condition : builder.CreateNot(condition), builder.getInt32Ty());
  SmallVector<Value*, 8> operands{arrival};
  append_range(operands, work_item_ids(builder));
  call_host(builder, "__hostcl_convergence_arrive", builder.getVoidTy(), operands);
  call_intrinsic(builder, Intrinsic::barrier, 0);
  // The call is declared to read memory only, so that its result is uniform for later analyses.
  Value* first = call_host(builder, "__hostcl_convergence_result", builder.getInt32Ty(), {site},
                           MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
  call_intrinsic(builder, Intrinsic::barrier, 0);
  Value* converged = builder.CreateICmpEQ(arrival, first, "converged");
  branch.setCondition(decision.when ? builder.CreateIsNotNull(first) : builder.CreateIsNull(first));

  BasicBlock* go = SplitBlock(block, &branch);
  BasicBlock* divergent = BasicBlock::Create(context, "divergent", block->getParent());
  ReturnInst::Create(context, divergent);
  ReplaceInstWithInst(block->getTerminator(), BranchInst::Create(go, divergent, converged));
}

} // namespace

PreservedAnalyses check_divergence_pass(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function)) return PreservedAnalyses::all();
  Decisions divergent;
  { // the analysis must be gone before blocks are changed
    const GroupUniformity uniformity(function);
    divergent = checked_branches_in(function, uniformity);
  }
  for (const auto& [branch, decision] : divergent)
    write_convergence_check(*branch, decision);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler

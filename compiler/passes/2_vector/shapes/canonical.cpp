#include "compiler/passes/2_vector/shapes/canonical.hpp"

#include "compiler/passes/2_vector/shapes/barrier_branches.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool has_strange_terminator(const Function& function) {
  for (const BasicBlock& block : function) {
    const Instruction* end = block.getTerminator();
    if (!isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(end)) return true;
  }
  return false;
}

/// If the switch's default is unreachable, the last case becomes the default.
void use_case_as_default(SwitchInst& choice) {
  if (!choice.defaultDestUnreachable() || choice.getNumCases() == 0) return;
  choice.getDefaultDest()->removePredecessor(choice.getParent(), true);
  auto last = std::prev(choice.case_end());
  choice.setDefaultDest(last->getCaseSuccessor());
  choice.removeCase(last); // the phi entries for the case's edge now serve the default's edge
}

SmallVector<SwitchInst*, 4> switches_of(Function& function) {
  SmallVector<SwitchInst*, 4> found;
  for (BasicBlock& block : function)
    if (auto* choice = dyn_cast<SwitchInst>(block.getTerminator())) found.push_back(choice);
  return found;
}

/// Lowers a switch to a chain of comparisons, one block for each destination.
void lower_switch(SwitchInst& choice) {
  MapVector<BasicBlock*, SmallVector<ConstantInt*, 4>> cases;
  for (auto& each : choice.cases())
    cases[each.getCaseSuccessor()].push_back(each.getCaseValue());
  BasicBlock* from = choice.getParent();
  // Each destination keeps one phi entry, from the chain's block that leads there.
  for (auto& [to, values] : cases)
    for (std::size_t i = 1; i < values.size(); ++i)
      to->removePredecessor(from, true);
  BasicBlock* at = from;
  BasicBlock* before = from->getNextNode();
  IRBuilder<> build(&choice);
  for (auto& [to, values] : cases) {
    Value* hit = nullptr;
    for (ConstantInt* value : values) {
      Value* equal = build.CreateICmpEQ(choice.getCondition(), value);
      hit = hit ? build.CreateOr(hit, equal) : equal;
    }
    BasicBlock* next = BasicBlock::Create(from->getContext(), "case", from->getParent(), before);
    build.CreateCondBr(hit, to, next);
    if (at != from) to->replacePhiUsesWith(from, at);
    at = next;
    build.SetInsertPoint(at);
  }
  build.CreateBr(choice.getDefaultDest());
  if (at != from) choice.getDefaultDest()->replacePhiUsesWith(from, at);
  choice.eraseFromParent();
}

/// Lowers switches at which work-items may diverge and reach a barrier before they reconverge. Work-items of a group
/// may diverge at a switch and still agree whether they take the case with the barrier, which is all that OpenCL
/// requires. Lowering gives each destination a branch of its own, so the branch that leads to the barrier is uniform.
void lower_switches_about_barriers(Function& function) {
  const SmallVector<SwitchInst*, 4> choices = switches_of(function);
  if (choices.empty() || none_of(function, has_barrier)) return;
  const PostDominatorTree postdominators(function);
  SmallVector<SwitchInst*, 4> lowered;
  for (SwitchInst* choice : choices) {
    const auto* node = postdominators.getNode(choice->getParent());
    const BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    const auto before_join = [&](const BasicBlock& block) { return &block != join; };
    if (leads_to(*choice->getParent(), has_barrier, before_join)) lowered.push_back(choice);
  }
  for (SwitchInst* choice : lowered)
    lower_switch(*choice);
}

/// Merges all returns into one. Blocks that end in `unreachable` return as well, because reaching them is undefined.
/// @returns whether there is a return
bool unify_returns(Function& function) {
  SmallVector<Instruction*, 4> ends;
  bool has_return = false;
  for (BasicBlock& block : function) {
    if (!succ_empty(&block)) continue;
    ends.push_back(block.getTerminator());
    has_return |= isa<ReturnInst>(ends.back());
  }
  if (!has_return) return false;
  if (ends.size() == 1) return true;
  BasicBlock* exit = BasicBlock::Create(function.getContext(), "exit", &function);
  ReturnInst::Create(function.getContext(), exit);
  for (Instruction* end : ends) {
    BranchInst::Create(exit, end->getIterator());
    end->eraseFromParent();
  }
  return true;
}

/// Makes control flow reducible by LLVM's FixIrreducible pass. Switches are lowered first: the pass crashes if a switch
/// leads into an irreducible loop.
void fix_irreducible(Function& function) {
  for (SwitchInst* choice : switches_of(function))
    lower_switch(*choice);
  FunctionAnalysisManager analyses;
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return LoopAnalysis(); });
  analyses.registerPass([] { return CycleAnalysis(); });
  FixIrreduciblePass().run(function, analyses);
}

bool is_irreducible(Function& function, const LoopInfo& loops) {
  ReversePostOrderTraversal<const Function*> order(&function);
  return containsIrreducibleCFG<const BasicBlock*>(order, loops);
}

/// Whether a cycle with several entries is nested in another cycle, or contains another cycle. For some of these, LLVM
/// 22's FixIrreducible pass makes a loop that never ends.
bool has_nested_irreducible_cycles(Function& function) {
  CycleInfo cycles;
  cycles.compute(function);
  for (BasicBlock& block : function) {
    const Cycle* innermost = cycles.getCycle(&block);
    if (!innermost || !innermost->getParentCycle()) continue;
    for (const Cycle* cycle = innermost; cycle; cycle = cycle->getParentCycle())
      if (!cycle->isReducible()) return true;
  }
  return false;
}

} // namespace

Error canonicalise(Function& function, DominatorTree& dominators, LoopInfo& loops) {
  if (has_strange_terminator(function))
    return createStringError("a kind of jump that the vectoriser does not support");
  for (SwitchInst* choice : switches_of(function))
    use_case_as_default(*choice);
  for (BasicBlock& block : function)
    ConstantFoldTerminator(&block);
  lower_switches_about_barriers(function);
  removeUnreachableBlocks(function);
  if (!unify_returns(function)) return createStringError("the kernel never returns");
  dominators.recalculate(function);
  loops.analyze(dominators);
  if (is_irreducible(function, loops)) {
    if (has_nested_irreducible_cycles(function)) return createStringError("nested irreducible control flow");
    fix_irreducible(function);
    dominators.recalculate(function);
    loops.releaseMemory();
    loops.analyze(dominators);
    if (is_irreducible(function, loops)) return createStringError("irreducible control flow");
  }
  AssumptionCache assumptions(function);
  SmallVector<Loop*, 8> outermost(loops.begin(), loops.end());
  for (Loop* loop : outermost)
    simplifyLoop(loop, &dominators, &loops, nullptr, &assumptions, nullptr, false);
  for (Loop* loop : loops) {
    formLCSSARecursively(*loop, dominators, &loops, nullptr);
    for (Loop* inner : loop->getLoopsInPreorder())
      if (!inner->getLoopPreheader() || !inner->getLoopLatch())
        return createStringError("a loop without a single entry (preheader) and latch");
  }
  // Simplifying loops leaves unreachable blocks.
  if (removeUnreachableBlocks(function)) {
    dominators.recalculate(function);
    loops.releaseMemory();
    loops.analyze(dominators);
  }
  return Error::success();
}

const Value* deciding_value(const BasicBlock& block) {
  const Instruction* end = block.getTerminator();
  return end->getNumSuccessors() > 1 ? end->getOperand(0) : nullptr;
}

} // namespace hostcl::compiler

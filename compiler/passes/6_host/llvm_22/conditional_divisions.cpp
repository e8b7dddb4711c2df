// Works around a fault of LLVM 22's loop vectoriser (not reported yet; the test has the text of a report): disables
// vectorisation of loops with an integer division that is executed under a condition. If such a division is part of a
// loop-invariant address, the vectoriser takes the address of the first of the iterations that it joins, and computes
// the address only if this iteration's condition holds. The other iterations then read from an invalid address:
//
//   for (i...) if (a[i] < 1) b[i] = table[100 % n];
//
// In: kernels that were not vectorised, loops in loop-simplify form. Out: such loops have the metadata
// llvm.loop.vectorize.enable = 0.
// When the run FAULT of tests/passes/6_host/llvm_22/conditional_divisions_fault.ll fails, LLVM is mended: the pass may go.

#include "compiler/passes/passes.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool has_conditional_division(const Loop& loop, const DominatorTree& dominators) {
  return any_of(loop.blocks(), [&](const BasicBlock* block) {
    return !dominators.dominates(block, loop.getLoopLatch()) &&
           any_of(*block, [](const Instruction& instruction) { return instruction.isIntDivRem(); });
  });
}

} // namespace

PreservedAnalyses conditional_divisions_pass(Function& function, FunctionAnalysisManager& analyses) {
  const DominatorTree& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopLatch() && has_conditional_division(*loop, dominators))
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler

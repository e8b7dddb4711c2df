#include "compiler/passes/codegen/conditional_divisions.hpp"

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

PreservedAnalyses ConditionalDivisionsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  const DominatorTree& dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopLatch() && has_conditional_division(*loop, dominators))
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler

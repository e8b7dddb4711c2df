#include "compiler/passes/unroll_loops.hpp"

#include "compiler/passes/intrinsics.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool has_barrier(const Loop& loop) {
  return any_of(loop.blocks(), [](const BasicBlock* block) {
    return any_of(*block, [](const Instruction& instruction) {
      return called_intrinsic(instruction) == hostcl::compiler::Intrinsic::barrier;
    });
  });
}

/// LLVM's full unrolling, for the loops that suit it.
struct UnrollPass : PassInfoMixin<UnrollPass> {
  PreservedAnalyses run(Loop& loop, LoopAnalysisManager& analyses, LoopStandardAnalysisResults& results,
                        LPMUpdater& updater) {
    if (!loop.getExitingBlock() || has_barrier(loop)) return PreservedAnalyses::all();
    return LoopFullUnrollPass(/*OptLevel=*/3).run(loop, analyses, results, updater);
  }
};

FunctionPassManager unrolling() {
  LoopPassManager loops;
  loops.addPass(IndVarSimplifyPass());
  loops.addPass(UnrollPass());
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
  return passes;
}

FunctionPassManager cleaning_up() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  return passes;
}

} // namespace

PreservedAnalyses UnrollLoopsPass::run(Function& function, FunctionAnalysisManager& analyses) {
  auto count_loops = [&] { return analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder().size(); };
  const std::size_t before = count_loops();
  if (before == 0) return PreservedAnalyses::all();
  analyses.invalidate(function, unrolling().run(function, analyses));
  if (count_loops() != before) cleaning_up().run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler

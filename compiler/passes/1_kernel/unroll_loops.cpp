// Fully unrolls short loops with a known trip count before vectorisation, so that private arrays live in registers and
// loop-invariant code can be hoisted out of an outer loop:
//
//   float sum[4];                                              %sum0 = phi float ...
//   for (int i = 0; i < 4; ++i) sum[i] += a * b[i];      =>    %sum1 = phi float ...
//
// LLVM's LoopFullUnrollPass decides how much code a loop may become, and honours `#pragma unroll`. Two kinds of loops
// are not unrolled: loops with several exits, because their lanes may diverge and each iteration would end with a test
// of its own; and loops with barriers, because each iteration would become a region of the work-group.
//
// While LLVM decides, the calls that count executions (passes/coverage/) are llvm.sideeffect, which costs nothing: a
// call of an unknown function would end LLVM's estimate of what unrolling simplifies.
//
// In: a kernel in SSA form.
//
// Gains on an Emerald Rapids Xeon: a median of 3 × 3 bytes 3.4, box filters of 3 × 3 1.4 to 2.0, sgemm_tiled 1.4 times
// as fast; sums over nine neighbours whose index has bounds lose up to 3 times.
//
// Tests: tests/passes/1_kernel/unroll_loops*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hostcl::compiler {

using namespace llvm;
using HostclIntrinsic = hostcl::compiler::Intrinsic;

namespace {

/// While the object exists, calls of llvm.sideeffect stand for the function's calls of coverage_count.
class HiddenCounts {
public:
  HiddenCounts(Function& function, FunctionAnalysisManager& analyses)
      : function_(function), analyses_(analyses) {
    replace([](Instruction& instruction) -> CallInst* {
      if (!is_call_of(instruction, HostclIntrinsic::coverage_count)) return nullptr;
      SmallVector<Metadata*, 2> numbers;
      for (const Use& operand : cast<CallInst>(instruction).args()) {
        auto* number = dyn_cast<ConstantInt>(operand);
        if (!number) return nullptr;
        numbers.push_back(ConstantAsMetadata::get(number));
      }
      IRBuilder<> build(&instruction);
      CallInst* hidden = build.CreateIntrinsic(llvm::Intrinsic::sideeffect, {});
      hidden->setMetadata(operands, MDNode::get(build.getContext(), numbers));
      return hidden;
    });
  }
  HiddenCounts(const HiddenCounts&) = delete;
  HiddenCounts& operator=(const HiddenCounts&) = delete;
  ~HiddenCounts() {
    replace([&](Instruction& instruction) -> CallInst* {
      const MDNode* numbers = instruction.getMetadata(operands);
      if (!numbers) return nullptr;
      IRBuilder<> build(&instruction);
      Function* count = declare_coverage_intrinsic(*function_.getParent(), HostclIntrinsic::coverage_count,
                                                   build.getInt64Ty());
      return build.CreateCall(count, {mdconst::extract<ConstantInt>(numbers->getOperand(0)),
                                      mdconst::extract<ConstantInt>(numbers->getOperand(1))});
    });
  }

private:
  /// @param replacement_of makes the call that takes an instruction's place, or returns null
  void replace(function_ref<CallInst*(Instruction&)> replacement_of) {
    bool changed = false;
    for (Instruction& instruction : make_early_inc_range(instructions(function_)))
      if (replacement_of(instruction)) {
        instruction.eraseFromParent();
        changed = true;
      }
    if (!changed) return;
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    analyses_.invalidate(function_, kept);
  }

  static constexpr StringRef operands = "count.operands"; ///< metadata of llvm.sideeffect

  Function& function_;
  FunctionAnalysisManager& analyses_;
};

/// Whether LLVM is asked to unroll the loop. The test saves time: IndVarSimplify, which has to run before LLVM's own
/// decision, takes most of this pass's time.
bool may_unroll(const Loop& loop, ScalarEvolution& evolution) {
  constexpr unsigned most_iterations = 1024;
  if (!loop.getExitingBlock() || has_barrier(loop)) return false;
  const unsigned iterations = evolution.getSmallConstantMaxTripCount(&loop);
  return (iterations && iterations <= most_iterations) || hasUnrollTransformation(&loop) != TM_Unspecified;
}

/// LLVM's full unrolling, for the loops that may_unroll() accepts.
struct UnrollPass : PassInfoMixin<UnrollPass> {
  PreservedAnalyses run(Loop& loop, LoopAnalysisManager& analyses, LoopStandardAnalysisResults& results,
                        LPMUpdater& updater) {
    if (!may_unroll(loop, results.SE)) return PreservedAnalyses::all();
    LoopPassManager passes;
    passes.addPass(IndVarSimplifyPass());
    passes.addPass(LoopFullUnrollPass(/*OptLevel=*/3));
    return passes.run(loop, analyses, results, updater);
  }
};

FunctionPassManager cleaning_up() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  // SimplifyCFG first merges the unrolled iterations into one block. InstCombine moves an addition into the block of
  // its use; if each iteration had its own block, all additions would end up after the last load. planes/convolution of
  // bench/survey is 1.35 times as fast.
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  return passes;
}

} // namespace

PreservedAnalyses unroll_loops_pass(Function& function, FunctionAnalysisManager& analyses,
                                    const Switches& switches) {
  if (!switches.is_on(Heuristic::unroll_loops)) return PreservedAnalyses::all();
  auto count_loops = [&] { return analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder().size(); };
  const std::size_t before = count_loops();
  if (before == 0) return PreservedAnalyses::all();
  {
    const HiddenCounts hidden(function, analyses);
    analyses.invalidate(function, createFunctionToLoopPassAdaptor(UnrollPass()).run(function, analyses));
  }
  if (note_change(Heuristic::unroll_loops, count_loops() != before)) cleaning_up().run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler

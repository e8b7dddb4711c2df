// Works around a fault of LLVM 22's loop vectoriser (not reported yet; the test has the text of a report): removes
// llvm.loop.parallel_accesses from an innermost loop if the vectoriser could form an interleaved group of two loads (or
// of two stores) across an access that may alias one of them. The metadata says that iterations are independent of each
// other. The vectoriser then computes no dependences at all, not even within an iteration. In this example it moves the
// second load above the store:
//
//   long a = p[0]; *(packed long*)((char*)p + 6) = 0; long b = p[1];
//
// Likewise the vectoriser may move a store below a load. Without the metadata, LLVM computes the dependences, and
// vectorises the loop if they allow this. Loops with more than 300 loads and stores lose the metadata without analysis.
//
// In: kernels that hostcl's vectoriser left scalar; loops in loop-simplify form. Out: loops in which LLVM's vectoriser
// could form a wrong group have no llvm.loop.parallel_accesses.
// When the run FAULT of tests/passes/6_host/llvm_22/overlapping_accesses_fault.ll fails, LLVM is mended: the pass may go.

#include "compiler/passes/passes.hpp"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr const char parallel_mark[] = "llvm.loop.parallel_accesses";
constexpr std::size_t most_accesses = 300; ///< loops with more are assumed to overlap, to save time

/// The loads and stores of an iteration, in reverse post-order.
SmallVector<Instruction*> accesses(Loop& loop, LoopInfo& loops) {
  SmallVector<Instruction*> result;
  LoopBlocksRPO blocks(&loop);
  blocks.perform(&loops);
  for (BasicBlock* block : blocks)
    for (Instruction& instruction : *block)
      if (isa<LoadInst, StoreInst>(instruction)) result.push_back(&instruction);
  return result;
}

/// The accesses of one iteration, and the question whether LLVM could reorder them wrongly when it forms an interleaved
/// group.
class Iteration {
public:
  Iteration(ArrayRef<Instruction*> accesses, AAResults& aliases, ScalarEvolution& evolution)
      : accesses_(accesses), aliases_(aliases), evolution_(evolution) {}

  /// Whether, between two loads or two stores with the same pointer base, there is an access that one of them must not
  /// be moved across.
  bool overlaps() {
    if (accesses_.size() > most_accesses) return true;
    for (std::size_t number = 1; number + 1 < accesses_.size(); ++number) {
      const Instruction* middle = accesses_[number];
      const auto before = accesses_.take_front(number), after = accesses_.drop_front(number + 1);
      // LLVM could move a later load above a store, and an earlier store below any access.
      if (isa<StoreInst>(middle) && may_pass<LoadInst>(after, *middle, before)) return true;
      if (may_pass<StoreInst>(before, *middle, after)) return true;
    }
    return false;
  }

private:
  /// Whether LLVM could wrongly move one of the accesses `moved` across `middle`: the two may alias, and on the other
  /// side of `middle` there is an access of the same kind (Access) and with the same pointer base.
  template <typename Access>
  bool may_pass(ArrayRef<Instruction*> moved, const Instruction& middle, ArrayRef<Instruction*> other_side) {
    return any_of(moved, [&](Instruction* access) {
      return isa<Access>(access) &&
             !aliases_.isNoAlias(MemoryLocation::get(access), MemoryLocation::get(&middle)) &&
             any_of(other_side,
                    [&](Instruction* other) { return isa<Access>(other) && base(other) == base(access); });
    });
  }

  const SCEV* base(Instruction* access) {
    return evolution_.getPointerBase(evolution_.getSCEV(getLoadStorePointerOperand(access)));
  }

  ArrayRef<Instruction*> accesses_;
  BatchAAResults aliases_;
  ScalarEvolution& evolution_;
};

void remove_mark(Loop& loop) {
  LLVMContext& context = loop.getHeader()->getContext();
  loop.setLoopID(makePostTransformationMetadata(context, loop.getLoopID(), {parallel_mark}, {}));
}

} // namespace

PreservedAnalyses overlapping_accesses_pass(Function& function, FunctionAnalysisManager& analyses) {
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !findOptionMDForLoop(loop, parallel_mark)) continue;
    const auto of_iteration = accesses(*loop, loops);
    if (Iteration(of_iteration, analyses.getResult<AAManager>(function),
                  analyses.getResult<ScalarEvolutionAnalysis>(function))
            .overlaps())
      remove_mark(*loop);
  }
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler

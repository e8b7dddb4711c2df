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
// When the run FAULT of tests/passes/llvm_22/overlapping_accesses_fault.ll fails, LLVM is mended: the pass may go.

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
    for (std::size_t middle = 1; middle + 1 < accesses_.size(); ++middle)
      if (is_passed_by_load(middle) || is_passed_by_store(middle)) return true;
    return false;
  }

private:
  /// Whether there are a load before and a load after the store at `middle` that have the same pointer base, and the
  /// later load may alias the store. LLVM could move the later load above the store.
  bool is_passed_by_load(std::size_t middle) {
    if (!isa<StoreInst>(accesses_[middle])) return false;
    return any_of(accesses_.drop_front(middle + 1), [&](Instruction* load) {
      return isa<LoadInst>(load) && overlap(load, accesses_[middle]) &&
             any_of(accesses_.take_front(middle),
                    [&](Instruction* first) { return isa<LoadInst>(first) && of_one_base(first, load); });
    });
  }

  /// Whether there are a store before and a store after the access at `middle` that have the same pointer base, and the
  /// earlier store may alias the access. LLVM could move the earlier store below the access.
  bool is_passed_by_store(std::size_t middle) {
    return any_of(accesses_.take_front(middle), [&](Instruction* store) {
      return isa<StoreInst>(store) && overlap(store, accesses_[middle]) &&
             any_of(accesses_.drop_front(middle + 1),
                    [&](Instruction* last) { return isa<StoreInst>(last) && of_one_base(store, last); });
    });
  }

  bool overlap(const Instruction* a, const Instruction* b) {
    return !aliases_.isNoAlias(MemoryLocation::get(a), MemoryLocation::get(b));
  }

  bool of_one_base(Instruction* a, Instruction* b) { return base(a) == base(b); }

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

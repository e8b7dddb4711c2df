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
// When the run FAULT of tests/passes/6_host/llvm_22/overlapping_accesses_fault.ll fails, LLVM is mended: the pass may
// go.

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

/// Whether LLVM could reorder the accesses of an iteration wrongly when it forms an interleaved group: between two
/// loads or two stores with the same pointer base, there is an access that one of them must not be moved across.
bool overlap(ArrayRef<Instruction*> accesses, BatchAAResults& aliases, ScalarEvolution& evolution) {
  if (accesses.size() > most_accesses) return true;
  auto base = [&](Instruction* access) {
    return evolution.getPointerBase(evolution.getSCEV(getLoadStorePointerOperand(access)));
  };
  // Whether LLVM could wrongly move an access of `moved` across `middle`: the two may alias, and on the other side of
  // `middle` there is an access with the same opcode and pointer base.
  auto may_pass = [&](unsigned opcode, ArrayRef<Instruction*> moved, const Instruction& middle,
                      ArrayRef<Instruction*> other_side) {
    return any_of(moved, [&](Instruction* access) {
      return access->getOpcode() == opcode &&
             !aliases.isNoAlias(MemoryLocation::get(access), MemoryLocation::get(&middle)) &&
             any_of(other_side, [&](Instruction* other) {
               return other->getOpcode() == opcode && base(other) == base(access);
             });
    });
  };
  for (std::size_t number = 1; number + 1 < accesses.size(); ++number) {
    const Instruction& middle = *accesses[number];
    const auto before = accesses.take_front(number), after = accesses.drop_front(number + 1);
    // LLVM could move a later load above a store, and an earlier store below any access.
    if (isa<StoreInst>(middle) && may_pass(Instruction::Load, after, middle, before)) return true;
    if (may_pass(Instruction::Store, before, middle, after)) return true;
  }
  return false;
}

void remove_mark(Loop& loop) {
  LLVMContext& context = loop.getHeader()->getContext();
  loop.setLoopID(makePostTransformationMetadata(context, loop.getLoopID(), {parallel_mark}, {}));
}

} // namespace

PreservedAnalyses overlapping_accesses_pass(Function& function, FunctionAnalysisManager& analyses) {
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !findOptionMDForLoop(loop, parallel_mark)) continue;
    BatchAAResults aliases(analyses.getResult<AAManager>(function));
    if (overlap(accesses(*loop, loops), aliases, analyses.getResult<ScalarEvolutionAnalysis>(function)))
      remove_mark(*loop);
  }
  return PreservedAnalyses::all();
}

} // namespace hostcl::compiler

// Replaces a loop's atomic updates of one address by one update after the loop, of a sum that is kept in a register
// (scalar promotion of a reduction):
//
//   for (...) atomic_add(&sums[row], f(i))   =>   for (...) sum += f(i)
//                                                 if (sum != 0) atomic_add(&sums[row], sum)
//
// The pass applies if no other work-item can observe how many updates have happened: the updates are relaxed and their
// results unused, and the loop has no other access that may touch their memory, no atomic or volatile access, no
// barrier or fence, and no call of unknown code. If the sum is the identity element, the update after the loop is left
// out: it would have no effect, and the program may never have executed an update. Floating-point sums are not changed,
// because they depend on the order of additions.
//
// Updates of an address that is uniform over the group are also left alone if barrier-synchronised-loops
// (3_group/barrier_synchronised_loops.cpp) gains more by them: the sum of bytes that neighbouring work-items read takes
// 10 times as long with a register for each work-item, while other programs use the cache.
//
// Inner loops are changed before outer loops. Gains on an Emerald Rapids Xeon: 4.7 in the median of its two users,
// counts of rows in global memory 6.8 and maxima of columns in local memory 2.6.
//
// In: the kernel of one work-item, in SSA form. Tests: tests/passes/atomics/loop_updates*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/atomic_update.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the instruction is an update that may be combined with others of its kind and address.
bool is_update(const Instruction& instruction) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  return update && update->getType()->isIntegerTy() && can_combine(*update) &&
         is_contained({global_space, local_space}, update->getPointerAddressSpace());
}

/// Whether other work-items may learn from the instruction how far this work-item has come. Kernels cannot read the
/// counters of executions.
bool tells_others(const Instruction& instruction) {
  if (is_update(instruction) || counts_executions(instruction)) return false;
  if (isa<FenceInst>(instruction) || instruction.isAtomic() || instruction.isVolatile()) return true;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return !intrinsic->isAssumeLikeIntrinsic() && !isa<MemIntrinsic>(intrinsic) &&
           intrinsic->mayHaveSideEffects();
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call && (call->isConvergent() || call->mayHaveSideEffects());
}

/// The updates of one kind and address in a loop, which one update after the loop replaces.
struct Updates {
  UpdateKind kind;
  Value* address;
  std::vector<AtomicRMWInst*> members;
};

class LoopUpdates {
public:
  LoopUpdates(Function& kernel, FunctionAnalysisManager& analyses, const Switches& switches)
      : kernel_(kernel),
        switches_(switches),
        aliases_(analyses.getResult<AAManager>(kernel)),
        dominators_(analyses.getResult<DominatorTreeAnalysis>(kernel)),
        loops_(analyses.getResult<LoopAnalysis>(kernel)) {}

  bool run() {
    bool changed = false;
    const auto outer_first = loops_.getLoopsInPreorder();
    for (Loop* loop : llvm::reverse(outer_first))
      for (Updates& updates : find(*loop)) {
        move_behind(*loop, updates);
        changed = true;
      }
    return changed;
  }

private:
  std::vector<Updates> find(const Loop& loop) {
    std::vector<Updates> found;
    if (loop.hasNoExitBlocks() || has_instruction(loop, tells_others)) return found;
    for (BasicBlock* block : loop.blocks())
      for (Instruction& instruction : make_filter_range(*block, is_update)) {
        auto& update = cast<AtomicRMWInst>(instruction);
        Value* address = update.getPointerOperand();
        auto known = find_if(found, [&](const Updates& each) {
          return each.address == address && each.kind == UpdateKind(update) &&
                 each.members.front()->getSyncScopeID() == update.getSyncScopeID();
        });
        if (known == found.end()) known = found.insert(known, {UpdateKind(update), address, {}});
        known->members.push_back(&update);
      }
    erase_if(found, [&](const Updates& each) {
      return !loop.isLoopInvariant(each.address) || is_better_together(loop, each) || is_touched(loop, each);
    });
    return found;
  }

  /// Whether the updates should stay, so that barrier-synchronised-loops makes a barrier-synchronised loop of the loop,
  /// which it does only for loops with updates. The updates of all vectors in each iteration cost less than cache lines
  /// that are fetched again; if every iteration has an update, this holds only if several vectors share a cache line.
  bool is_better_together(const Loop& loop, const Updates& updates) {
    constexpr std::int64_t shared_by_vectors = 2;
    const BasicBlock* latch = loop.getLoopLatch();
    if (!switches_.is_on(Heuristic::barrier_synchronised_loops) || !loop.isInnermost() || !latch)
      return false;
    const bool in_each_step = any_of(updates.members, [&](const AtomicRMWInst* update) {
      return dominators_.dominates(update->getParent(), latch);
    });
    LinearForms likely_forms(&loops_,
                             Wrapping::ignored); // computed again, because the pass has changed the kernel
    return is_group_uniform(*updates.address, *latch, likely_forms) &&
           walks_side_by_side(loop, likely_forms, in_each_step ? shared_by_vectors : farthest_neighbour);
  }

  /// Whether the loop has other accesses that may touch the updates' memory. Updates of the same kind do not count,
  /// even at other addresses, because the order of updates of the same kind does not matter.
  bool is_touched(const Loop& loop, const Updates& updates) {
    const MemoryLocation place = MemoryLocation::get(updates.members.front());
    return has_instruction(loop, [&](const Instruction& other) {
      if (is_update(other) && UpdateKind(cast<AtomicRMWInst>(other)) == updates.kind) return false;
      return other.mayReadOrWriteMemory() && !called_intrinsic(other) &&
             isModOrRefSet(aliases_.getModRefInfo(&other, place));
    });
  }

  void move_behind(Loop& loop, Updates& updates) {
    if (!loop.getLoopPreheader())
      InsertPreheaderForLoop(&loop, &dominators_, &loops_, nullptr, /*PreserveLCSSA=*/false);
    formDedicatedExitBlocks(&loop, &dominators_, &loops_, nullptr, /*PreserveLCSSA=*/false);
    const UpdateKind& kind = updates.kind;
    BasicBlock& first = kernel_.getEntryBlock();
    IRBuilder<> build(&first, first.begin());
    AllocaInst* sum = build.CreateAlloca(kind.type, nullptr, "collected");
    build.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
    build.CreateStore(kind.identity(), sum);
    for (AtomicRMWInst* update : updates.members) {
      build.SetInsertPoint(update);
      Value* operand = UpdateKind::operand_of(build, *update);
      build.CreateStore(kind.apply(build, build.CreateLoad(kind.type, sum), operand), sum);
    }
    DomTreeUpdater updater(dominators_, DomTreeUpdater::UpdateStrategy::Eager);
    SmallVector<BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    for (BasicBlock* exit : exits) {
      build.SetInsertPoint(exit, exit->getFirstInsertionPt());
      Value* all = build.CreateLoad(kind.type, sum);
      Value* changes = build.CreateICmpNE(all, kind.identity());
      build.SetInsertPoint(SplitBlockAndInsertIfThen(changes, build.GetInsertPoint(), /*Unreachable=*/false,
                                                     nullptr, &updater, &loops_));
      build.CreateAtomicRMW(kind.operation, updates.address, all, updates.members.front()->getAlign(),
                            AtomicOrdering::Monotonic, updates.members.front()->getSyncScopeID());
    }
    for (AtomicRMWInst* update : updates.members)
      update->eraseFromParent();
    PromoteMemToReg({sum}, dominators_);
  }

  Function& kernel_;
  const Switches& switches_;
  AAResults& aliases_;
  DominatorTree& dominators_;
  LoopInfo& loops_;
};

} // namespace

PreservedAnalyses loop_updates_pass(Function& function, FunctionAnalysisManager& analyses,
                                    const Switches& switches) {
  if (!switches.is_on(Heuristic::loop_updates) || !is_kernel_body(function)) return PreservedAnalyses::all();
  return note_change(Heuristic::loop_updates, LoopUpdates(function, analyses, switches).run())
             ? PreservedAnalyses::none()
             : PreservedAnalyses::all();
}

} // namespace hostcl::compiler

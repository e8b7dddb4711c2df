// Splits a loop in which work-items of a group may have different trip counts. A new loop, whose trip count is uniform,
// runs the iterations that all work-items of the group have. The old loop then runs what is left of each work-item's
// iterations:
//
//   for each item of the group                       for (k = 0; first + k + items <= size; k += n)
//     for (i = id; i < size; i += n) f(data[i])   =>   for each item of the group
//                                                        f(data[id + k])
//                                                    for each item of the group
//                                                      for (i = id + k; i < size; i += n) f(data[i])
//
// The new loop gets a barrier if neighbouring work-items read neighbouring elements, and each work-item steps by a
// cache line or more from one iteration to the next. Without the barrier, one work-item runs all of its iterations
// before the next work-item begins. Each iteration then fetches a cache line, and the line is evicted before the next
// work-item reads its own part of the line.
//
// The barrier is legal for two reasons. OpenCL leaves open what other work-items do between two iterations of one
// work-item. And all work-items of the group reach the barrier: a loop gets a barrier only if GroupUniformity proves
// that all of them reach the loop's guard, and the new loop's trip count is uniform. Later passes may therefore rely on
// this barrier as on a barrier of the program. Because all work-items leave the new loop together, only the kernel's own
// loop-carried values are stored for each work-item.
//
// Only loops that do little but cheap atomic updates get a barrier. Cheap updates are updates of local memory, and
// updates that each thread collects (deferrable_atomics.cpp). Gains by the barrier on an Emerald Rapids Xeon: 1.33 in
// the median of five kernels, a histogram of 64 MB 2.9. On one core of a Xeon with 2 MB of second-level cache, the
// histogram of 64 MB gains 9, and a histogram in local memory gains 1.9.
//
// Other loops are split without a barrier, so that the vectoriser needs no lane masks in the new loop. Each work-item
// still runs its own iterations in their order, so the split is legal in divergent branches as well. Gains: scalar
// products 1.8 and 1.1 on an Emerald Rapids Xeon, 2.1 on one core of a Zen 5 server.
//
// In: a kernel of one work-item, before the vectoriser. Out: the same with split loops, some with barriers. Tests:
// tests/passes/3_group/barrier_synchronised_loops*.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/atomic_update.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/kernel_shape.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/atomics/group_atomics.hpp"
#include "compiler/settings/switches.hpp"
#include "compiler/values/group_uniformity.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The most loop-carried values (header phis) that a loop may have, the induction variable included.
constexpr auto most_values = 2;
/// Bounds the difference between the starts of a group's first and last work-item: it stays below 2^31.
constexpr std::int64_t largest_stride = 1 << 10;

/// Whether the instruction is a cheap atomic: an update that is collected in a deferral table, or an atomic on local
/// memory.
bool is_collected(const Instruction& instruction) {
  const auto* update = dyn_cast<AtomicRMWInst>(&instruction);
  return update && (deferral_table(*update) || update->getPointerAddressSpace() == local_space);
}

/// The loops that this pass may change.
SmallVector<Loop*, 4> suitable_loops(const LoopInfo& loops) {
  auto suitable = loops.getLoopsInPreorder();
  erase_if(suitable, [&](const Loop* loop) {
    return !loop->isInnermost() || !exits_at_latch(*loop) || !loop->getExitBlock() || has_barrier(*loop) ||
           !has_instruction(*loop, [](const Instruction& each) { return each.mayReadOrWriteMemory(); });
  });
  return suitable;
}

/// Whether the loop gains by a barrier.
bool gains_by_barrier(const Loop& loop, LinearForms& likely_forms) {
  return hasNItemsOrLess(loop.getHeader()->phis(), most_values) && has_instruction(loop, is_collected) &&
         !is_used_outside(loop) && walks_side_by_side(loop, likely_forms);
}

void add_barrier(BasicBlock& block) {
  IRBuilder<> build(&*block.getFirstInsertionPt());
  build.CreateCall(declare_intrinsic(*block.getModule(), Intrinsic::barrier), {build.getInt32(0)});
}

/// A loop that this pass can change. Its trip count may be divergent, but all work-items of the group run the first
/// iterations. Its integer induction variable starts at a multiple of the local id in x plus a uniform value. The step
/// and the end are uniform.
struct Walk {
  const Loop* loop;
  PHINode* phi;
  Comparison goes_on; ///< between the variable's next value and its end
  Value *start = nullptr, *step = nullptr;
  std::int64_t stride = 0;     ///< between the starts of neighbouring work-items, positive
  BasicBlock* begin = nullptr; ///< the block that decides whether a work-item enters the loop

  /// Emits whether a value of the induction variable is not past the end.
  Value* continues(IRBuilderBase& build, Value* value) const {
    return build.CreateICmp(goes_on.predicate, value, goes_on.right);
  }
  Value* continues_for_all(IRBuilderBase& build, Value* first) const;
};

/// Emits whether the induction variable is not past the end in any work-item of the group, whose work-item with local
/// id 0 has the value `first`. The largest value of the work-items is `first` + `farthest`. This sum might wrap, so
/// `farthest` is compared with `end - first` instead; the subtraction does not wrap, because `first` is not past the
/// end.
Value* Walk::continues_for_all(IRBuilderBase& build, Value* first) const {
  Module& module = *build.GetInsertBlock()->getModule();
  Type* type = phi->getType();
  Value* items = build.CreateCall(declare_intrinsic(module, Intrinsic::local_size), {build.getInt32(0)});
  Value* farthest =
      build.CreateMul(build.CreateSub(build.CreateZExtOrTrunc(items, type), ConstantInt::get(type, 1)),
                      ConstantInt::get(type, static_cast<std::uint64_t>(stride)));
  const bool may_be_end = CmpInst::isNonStrictPredicate(goes_on.predicate);
  Value* distance = build.CreateSub(goes_on.right, first);
  Value* fits = build.CreateICmp(may_be_end ? CmpInst::ICMP_UGE : CmpInst::ICMP_UGT, distance, farthest);
  return build.CreateAnd(continues(build, first), fits);
}

bool is_local_id(const Value& value) {
  return is_call_of(value, Intrinsic::local_id) && dimension_of(cast<CallBase>(value)) == 0;
}

/// Whether a form is a multiple of the local id in x plus a uniform sum. The form's dependences do not suffice as a
/// proof: an outer loop's induction variable is its start plus a leaf that counts as uniform, although the variable may
/// be divergent.
bool is_sum_of_id(const LinearForm& form, const GroupUniformity& uniformity) {
  return all_of(form.terms, [&](const Term& term) {
    return all_of(term.leaves,
                  [&](const Value* leaf) { return is_local_id(*leaf) || uniformity.is_uniform(*leaf); });
  });
}

/// The block that decides whether a work-item enters the loop. It is the block before the preheader if that block ends
/// with the loop's guard, a comparison of start and end, and the preheader's code may run before the guard; else the
/// preheader.
BasicBlock& deciding_block(const Walk& walk) {
  BasicBlock &before = *walk.loop->getLoopPreheader(), *above = before.getSinglePredecessor();
  const auto found = above ? Comparison::on_edge(*above, before) : std::nullopt;
  if (!found || !is_contained(successors(above), walk.loop->getExitBlock())) return before;
  const bool is_guard = any_of(ArrayRef<Comparison>{*found, found->swapped()}, [&](const Comparison& test) {
    return test == Comparison{walk.goes_on.predicate, walk.start, walk.goes_on.right};
  });
  const bool may_run_earlier = all_of(
      make_range(before.begin(), before.getTerminator()->getIterator()), [](const Instruction& instruction) {
        return !instruction.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&instruction);
      });
  return is_guard && may_run_earlier ? *above : before;
}

/// Describes the loop as a Walk; nothing if the loop does not have the properties of one. @param forms exact forms
/// (Wrapping::counts) @param uniformity null for a cheap test that does not check uniformity and does not set `begin`
std::optional<Walk> find_walk(const Loop& loop, LinearForms& forms, const GroupUniformity* uniformity) {
  BasicBlock& header = *loop.getHeader();
  const auto found = Comparison::on_edge(*loop.getLoopLatch(), header);
  if (!found || (uniformity && !loop.getLoopPreheader())) return std::nullopt;
  const auto is_fixed = [&](const Value& value) {
    return loop.isLoopInvariant(&value) && (!uniformity || uniformity->is_uniform(value));
  };
  for (const Comparison& test : {*found, found->swapped()})
    for (PHINode& phi : header.phis()) {
      Walk walk{&loop, &phi, test};
      BinaryOperator* next = nullptr;
      if (!matchSimpleRecurrence(&phi, next, walk.start, walk.step) || next != test.left ||
          next->getOpcode() != Instruction::Add ||
          !(ICmpInst::isLT(test.predicate) || ICmpInst::isLE(test.predicate)))
        continue;
      const LinearForm start = forms.of(*walk.start, header);
      walk.stride = start.stride(0).value_or(0);
      if ((uniformity && !is_sum_of_id(start, *uniformity)) || walk.stride <= 0 ||
          walk.stride > largest_stride || phi.getType()->getIntegerBitWidth() < 32 || !is_fixed(*walk.step) ||
          !is_fixed(*test.right))
        continue;
      if (uniformity) walk.begin = &deciding_block(walk);
      return walk;
    }
  return std::nullopt;
}

/// Emits the value that the work-item with local id 0 in x computes. Arithmetic, which may depend on the local id, is
/// cloned. Loads, calls, phis and freezes are not cloned, because is_sum_of_id() has proven their values uniform; a
/// cloned load could also read memory that has changed.
Value* of_first_item(IRBuilderBase& build, Value* value, DenseMap<Value*, Value*>& known) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return value;
  if (Value* before = known.lookup(value)) return before;
  if (is_local_id(*instruction)) return ConstantInt::get(instruction->getType(), 0);
  Value* result = instruction;
  if (!isa<CallBase, PHINode, FreezeInst>(instruction) && !instruction->mayReadFromMemory() &&
      isSafeToSpeculativelyExecute(instruction)) {
    Instruction* copy = instruction->clone();
    copy->dropPoisonGeneratingFlags();
    for (Use& operand : copy->operands())
      operand.set(of_first_item(build, operand.get(), known));
    result = build.Insert(copy);
  }
  return known[value] = result;
}

/// Writes the new loop, whose trip count is uniform, in front of the old loop. Work-items run their remaining
/// iterations in the old loop.
class Split {
public:
  explicit Split(const Walk& walk)
      : walk_(walk),
        header_(*walk.loop->getHeader()),
        latch_(*walk.loop->getLoopLatch()),
        exit_(*walk.loop->getExitBlock()),
        begin_(*walk.begin) {}

  void run() {
    BasicBlock& before = *walk_.loop->getLoopPreheader();
    if (&begin_ != &before)
      for (Instruction& instruction :
           make_early_inc_range(make_range(before.begin(), before.getTerminator()->getIterator())))
        instruction.moveBefore(begin_.getTerminator()->getIterator());
    BasicBlock* enter = SplitEdge(&before, &header_);
    SplitBlock(&begin_, begin_.getTerminator());
    copy_blocks();
    IRBuilder<> build(begin_.getTerminator());
    DenseMap<Value*, Value*> known;
    Value* first = of_first_item(build, walk_.start, known);
    Value* together = walk_.continues_for_all(build, first);
    build.CreateCondBr(together, copy_of(&header_), begin_.getSingleSuccessor());
    begin_.getTerminator()->eraseFromParent();
    count(first);
    leave_for(*enter);
  }

  void run_with_barrier() {
    run();
    for (BasicBlock* block : {copy_of(&header_), leave_})
      add_barrier(*block); // the code after the new loop is not part of its iterations
  }

private:
  template <class T>
  T* copy_of(T* value) {
    Value* copy = copies_.lookup(value);
    return copy ? cast<T>(copy) : value;
  }

  void copy_blocks() {
    SmallVector<BasicBlock*, 8> copied;
    for (BasicBlock* block : walk_.loop->blocks()) {
      copied.push_back(CloneBasicBlock(block, copies_, ".together", header_.getParent()));
      copies_[block] = copied.back();
    }
    remapInstructionsInBlocks(copied, copies_);
    for (PHINode& phi : copy_of(&header_)->phis())
      phi.setIncomingBlock(phi.getIncomingBlock(0) == copy_of(&latch_) ? 1 : 0, &begin_);
  }

  /// Gives the new loop a uniform induction variable that starts at 0. An iteration adds the work-item's start to this
  /// variable, so that no induction variable is stored for each work-item.
  void count(Value* first) {
    BasicBlock &header = *copy_of(&header_), &latch = *copy_of(&latch_);
    PHINode& old = *copy_of(walk_.phi);
    IRBuilder<> build(&header, header.begin());
    PHINode* walked = build.CreatePHI(old.getType(), 2, "walked");
    build.SetInsertPoint(&header, header.getFirstInsertionPt());
    old.replaceAllUsesWith(build.CreateAdd(walk_.start, walked));
    old.eraseFromParent();
    build.SetInsertPoint(latch.getTerminator());
    Value* next = build.CreateAdd(walked, walk_.step);
    Value* together = walk_.continues_for_all(build, build.CreateAdd(first, next));
    leave_ = BasicBlock::Create(header.getContext(), "apart", header.getParent(), &exit_);
    build.CreateCondBr(together, &header, leave_);
    latch.getTerminator()->eraseFromParent();
    walked->addIncoming(ConstantInt::get(walked->getType(), 0), &begin_);
    walked->addIncoming(next, &latch);
  }

  /// After the new loop, each work-item whose induction variable is not past the end continues in the old loop.
  void leave_for(BasicBlock& enter) {
    BasicBlock* without = enter.getSinglePredecessor();
    IRBuilder<> build(&enter, enter.begin());
    for (PHINode& phi : header_.phis()) {
      PHINode* value = build.CreatePHI(phi.getType(), 2);
      value->addIncoming(phi.getIncomingValueForBlock(&enter), without);
      value->addIncoming(copy_of(phi.getIncomingValueForBlock(&latch_)), leave_);
      phi.setIncomingValueForBlock(&enter, value);
    }
    for (PHINode& phi : exit_.phis())
      phi.addIncoming(copy_of(phi.getIncomingValueForBlock(&latch_)), leave_);
    build.SetInsertPoint(leave_);
    build.CreateCondBr(walk_.continues(build, copy_of(walk_.goes_on.left)), &enter, &exit_);
  }

  const Walk& walk_;
  BasicBlock &header_, &latch_, &exit_;
  BasicBlock& begin_;           ///< ends with the branch on whether all work-items enter the new loop
  BasicBlock* leave_ = nullptr; ///< where work-items leave the new loop
  ValueToValueMapTy copies_;
};

} // namespace

PreservedAnalyses barrier_synchronised_loops_pass(Function& function, FunctionAnalysisManager& analyses,
                                                  const Switches& switches) {
  const KernelShape shape = kernel_shape(function);
  if (!switches.is_on(Heuristic::barrier_synchronised_loops) || !is_kernel_body(function) || shape.tier0 ||
      shape.single_item || shape.linearised_sub_groups || uses_sub_groups(function))
    return PreservedAnalyses::all();
  LoopInfo& loops = analyses.getResult<LoopAnalysis>(function);
  auto suitable = suitable_loops(loops);
  LinearForms before(&loops), likely_before(&loops, Wrapping::ignored);
  erase_if(suitable, [&](const Loop* loop) {
    return !gains_by_barrier(*loop, likely_before) && !find_walk(*loop, before, nullptr);
  });
  if (suitable.empty()) return PreservedAnalyses::all();
  DominatorTree& dominators_before = analyses.getResult<DominatorTreeAnalysis>(function);
  for (Loop* loop : suitable) {
    if (!loop->getLoopPreheader())
      InsertPreheaderForLoop(loop, &dominators_before, &loops, nullptr, /*PreserveLCSSA=*/false);
    formLCSSA(*loop, dominators_before, &loops, nullptr);
  }
  const GroupUniformity uniformity(function);
  const DominatorTree dominators(function); // computed again, because GroupUniformity may have split blocks
  const LoopInfo now(dominators);
  LinearForms forms(&now), likely_forms(&now, Wrapping::ignored);
  SmallVector<Loop*, 4> together;
  SmallVector<Walk, 4> with_barrier, without_barrier;
  for (Loop* loop : suitable_loops(now)) {
    const bool gains = gains_by_barrier(*loop, likely_forms);
    if (gains && uniformity.all_reach(*loop->getHeader())) {
      together.push_back(loop);
    } else if (const auto walk = find_walk(*loop, forms, &uniformity);
               walk && loop->isLCSSAForm(dominators)) {
      (gains && uniformity.all_reach(*walk->begin) ? with_barrier : without_barrier).push_back(*walk);
    }
  }
  const bool has_barriers = !together.empty() || !with_barrier.empty();
  note_change(Heuristic::barrier_synchronised_loops, has_barriers || !without_barrier.empty());
  if (has_barriers && may_merge_groups(function, shape, switches))
    function.addFnAttr(metadata::groups_merge, "true");
  for (const Loop* loop : together)
    add_barrier(*loop->getHeader());
  for (const Walk& walk : with_barrier)
    Split(walk).run_with_barrier();
  for (const Walk& walk : without_barrier)
    Split(walk).run();
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler

#include "compiler/passes/3_group/walk_counter.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/values/group_uniformity.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/loop_nest.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Bounds the difference between the starts of a group's first and last work-item: it stays below 2^31.
constexpr std::int64_t largest_stride = 1 << 10;

bool is_uniform(const Value& value, const GroupUniformity& uniformity) {
  const auto* instruction = dyn_cast<Instruction>(&value);
  return !instruction || uniformity.is_uniform(*instruction);
}

/// Whether a form is a multiple of the local id in x plus a uniform sum. The form's dependences do not suffice as a
/// proof: an outer loop's induction variable is its start plus a leaf that counts as uniform, although the variable may
/// be divergent.
bool is_sum_of_id(const LinearForm& form, const GroupUniformity& uniformity) {
  return all_of(form.terms, [&](const Term& term) {
    return all_of(term.leaves, [&](const Value* leaf) {
      const bool is_id = is_call_of(*leaf, Intrinsic::local_id) && dimension_of(*cast<CallBase>(leaf)) == 0;
      return is_id || is_uniform(*leaf, uniformity);
    });
  });
}

bool is_upper_end(CmpInst::Predicate predicate) {
  return predicate == CmpInst::ICMP_ULT || predicate == CmpInst::ICMP_ULE || predicate == CmpInst::ICMP_SLT ||
         predicate == CmpInst::ICMP_SLE;
}

/// Emits the value that the work-item with local id 0 in x computes. Instructions that depend on the local id are
/// cloned.
Value* of_first_item(IRBuilderBase& build, Value* value, DenseMap<Value*, Value*>& known) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction) return value;
  if (Value* before = known.lookup(value)) return before;
  if (is_call_of(*instruction, Intrinsic::local_id) && dimension_of(cast<CallBase>(*instruction)) == 0)
    return ConstantInt::get(instruction->getType(), 0);
  Value* result = instruction;
  if (!isa<CallBase, PHINode>(instruction) && isSafeToSpeculativelyExecute(instruction)) {
    Instruction* copy = instruction->clone();
    copy->dropPoisonGeneratingFlags();
    for (Use& operand : copy->operands())
      operand.set(of_first_item(build, operand.get(), known));
    result = build.Insert(copy);
  }
  return known[value] = result;
}

} // namespace

std::optional<WalkCounter> WalkCounter::find(const Loop& loop, LinearForms& forms,
                                             const GroupUniformity& uniformity) {
  const BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  const auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
  const auto found = branch ? Comparison::on_edge(*branch, *header) : std::nullopt;
  if (!found) return std::nullopt;
  for (const Comparison& test : {*found, found->swapped()}) {
    auto* next = dyn_cast<BinaryOperator>(test.left);
    if (!next || next->getOpcode() != Instruction::Add || !is_upper_end(test.predicate)) continue;
    for (const unsigned operand : {0U, 1U}) {
      auto* phi = dyn_cast<PHINode>(next->getOperand(operand));
      if (!phi || phi->getParent() != header || phi->getIncomingValueForBlock(latch) != next) continue;
      WalkCounter counter;
      counter.phi_ = phi;
      counter.next_ = next;
      counter.step_ = next->getOperand(1 - operand);
      counter.end_ = test.right;
      counter.goes_on_ = test.predicate;
      counter.start_ = phi->getIncomingValue(phi->getIncomingBlock(0) == latch ? 1 : 0);
      const LinearForm start = forms.of(*counter.start_, *header);
      counter.stride_ = start.stride(0).value_or(0);
      if (is_sum_of_id(start, uniformity) && counter.stride_ > 0 && counter.stride_ <= largest_stride &&
          phi->getType()->getIntegerBitWidth() >= 32 && loop.isLoopInvariant(counter.step_) &&
          loop.isLoopInvariant(counter.end_) && is_uniform(*counter.step_, uniformity) &&
          is_uniform(*counter.end_, uniformity))
        return counter;
    }
  }
  return std::nullopt;
}

BasicBlock& WalkCounter::deciding_block(const Loop& loop) const {
  BasicBlock &before = *loop.getLoopPreheader(), *above = before.getSinglePredecessor();
  const auto* guard = above ? dyn_cast<BranchInst>(above->getTerminator()) : nullptr;
  if (!guard || !is_guard(*guard, before, *loop.getExitBlock())) return before;
  const bool is_empty = all_of(
      make_range(before.begin(), before.getTerminator()->getIterator()), [](const Instruction& instruction) {
        return !instruction.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&instruction);
      });
  return is_empty ? *above : before;
}

/// Whether the branch goes to `inside` if the work-item's start is not past the end, else to `outside`.
bool WalkCounter::is_guard(const BranchInst& branch, const BasicBlock& inside,
                           const BasicBlock& outside) const {
  const auto found = Comparison::on_edge(branch, inside);
  if (!found || (branch.getSuccessor(0) != &outside && branch.getSuccessor(1) != &outside)) return false;
  return any_of(ArrayRef<Comparison>{*found, found->swapped()}, [&](const Comparison& test) {
    return test.predicate == goes_on_ && test.left == start_ && test.right == end_;
  });
}

Value* WalkCounter::first_start(IRBuilderBase& build) const {
  DenseMap<Value*, Value*> known;
  return of_first_item(build, start_, known);
}

Value* WalkCounter::continues(IRBuilderBase& build, Value* place) const {
  return build.CreateICmp(goes_on_, place, end_);
}

/// The largest value of the group's work-items is `first` + `farthest`. This sum might wrap, so `farthest` is compared
/// with `end - first` instead; the subtraction does not wrap, because `first` is not past the end.
Value* WalkCounter::continues_for_all(IRBuilderBase& build, Value* first) const {
  Module& module = *build.GetInsertBlock()->getModule();
  Type* type = phi_->getType();
  Value* items = build.CreateCall(declare_intrinsic(module, Intrinsic::local_size), {build.getInt32(0)});
  Value* farthest =
      build.CreateMul(build.CreateSub(build.CreateZExtOrTrunc(items, type), ConstantInt::get(type, 1)),
                      ConstantInt::get(type, static_cast<std::uint64_t>(stride_)));
  const bool may_be_end = CmpInst::isNonStrictPredicate(goes_on_);
  Value* distance = build.CreateSub(end_, first);
  Value* fits = build.CreateICmp(may_be_end ? CmpInst::ICMP_UGE : CmpInst::ICMP_UGT, distance, farthest);
  return build.CreateAnd(continues(build, first), fits);
}

} // namespace hostcl::compiler

#include "compiler/passes/2_vector/memory/affine_tests.hpp"

#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <utility>

namespace hostcl::compiler {

using namespace llvm;

Value* stays_in_range(Emission& e, Value* first, std::int64_t stride, bool is_signed) {
  const unsigned bits = first->getType()->getIntegerBitWidth();
  const APInt span(bits, static_cast<std::uint64_t>(std::abs(stride)) * (e.width - 1));
  if (stride > 0) {
    APInt last = (is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)) - span;
    return e.build.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, first, e.build.getInt(last));
  }
  APInt least = (is_signed ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits)) + span;
  return e.build.CreateICmp(is_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE, first, e.build.getInt(least));
}

namespace {

/// Writes the test that a minimum or maximum of an affine value (the index) and a uniform value (the border) chooses
/// the index in all lanes. Unless it wraps, the index grows or falls from the first to the last lane, so only one of
/// these two lanes is compared with the border: the one with the highest index for a minimum, the lowest for a maximum.
/// The test also excludes that the index wraps between lanes.
Value* is_not_clamped(Emission& e, MinMaxIntrinsic& clamp) {
  Value *index = clamp.getLHS(), *border = clamp.getRHS();
  if (e.shape(index).is_uniform()) std::swap(index, border);
  const std::int64_t stride = e.shape(index).stride();
  Value* first = e.scalar(index);
  const auto span = static_cast<std::uint64_t>(stride) * (e.width - 1);
  Value* last = e.build.CreateAdd(
      first, ConstantInt::get(first->getType(), span, /*IsSigned=*/true, /*ImplicitTrunc=*/true));
  Value *lowest = stride > 0 ? first : last, *highest = stride > 0 ? last : first;
  const bool is_signed = clamp.isSigned();
  const auto at_most = is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  const bool is_minimum =
      clamp.getIntrinsicID() == Intrinsic::smin || clamp.getIntrinsicID() == Intrinsic::umin;
  Value* inside = is_minimum ? e.build.CreateICmp(at_most, highest, e.scalar(border))
                             : e.build.CreateICmp(at_most, e.scalar(border), lowest);
  return e.build.CreateAnd(inside, e.build.CreateICmp(at_most, lowest, highest));
}

} // namespace

/// Writes the test that one extension does not wrap between lanes, or that one minimum or maximum does not clamp.
Value* AffineTests::condition_of(Instruction& instruction) {
  Value*& known = known_[&instruction];
  if (known) return known;
  auto* clamp = dyn_cast<MinMaxIntrinsic>(&instruction);
  Value* operand = instruction.getOperand(0);
  IRBuilderBase::InsertPointGuard guard(e_.build);
  e_.place_after(e_.scalar(clamp ? clamp : operand));
  return known = clamp ? is_not_clamped(e_, *clamp)
                       : stays_in_range(e_, e_.scalar(operand), e_.shape(operand).stride(),
                                        isa<SExtInst>(instruction));
}

Value* AffineTests::is_affine_now(Value* old) {
  Value* result = e_.build.getTrue();
  SmallVector<Value*, 8> open{old};
  SmallPtrSet<Value*, 8> seen;
  while (!open.empty()) {
    auto* instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction || !e_.shape(instruction).is_checked() || !seen.insert(instruction).second) continue;
    if (note_change(Heuristic::clamped_indices, isa<MinMaxIntrinsic>(instruction)) ||
        isa<SExtInst, ZExtInst>(instruction))
      result = e_.build.CreateAnd(condition_of(*instruction), result);
    open.append(instruction->op_begin(), instruction->op_end());
  }
  return result;
}

} // namespace hostcl::compiler

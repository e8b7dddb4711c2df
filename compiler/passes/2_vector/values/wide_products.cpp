#include "compiler/passes/2_vector/values/wide_products.hpp"

#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned bits = 64, half = 32, wide = 128;

/// The high half of the product of two unsigned 64-bit integers. No sum wraps.
Value* high_product(IRBuilder<>& build, Value* a, Value* b) {
  auto low = [&](Value* x) { return build.CreateAnd(x, maskTrailingOnes<std::uint64_t>(half)); };
  auto high = [&](Value* x) { return build.CreateLShr(x, half); };
  Value *low_a = low(a), *high_a = high(a), *low_b = low(b), *high_b = high(b);
  Value* middle = build.CreateMul(low_a, high_b);
  Value* carry = build.CreateAdd(high(build.CreateMul(low_a, low_b)), low(middle));
  carry = build.CreateAdd(carry, build.CreateMul(high_a, low_b));
  Value* top = build.CreateAdd(build.CreateMul(high_a, high_b), high(middle));
  return build.CreateAdd(top, high(carry));
}

/// `y` where `x` is negative.
Value* where_negative(IRBuilder<>& build, Value* x, Value* y) {
  return build.CreateAnd(build.CreateAShr(x, bits - 1), y);
}

/// The 64-bit integer whose extension the 128-bit factor is; null if the factor is not such an extension.
Value* narrow_factor(IRBuilder<>& build, Value* factor, bool has_sign) {
  Type* type = build.getIntNTy(bits);
  const APInt* constant;
  if (match(factor, m_APInt(constant)))
    return (has_sign ? constant->isSignedIntN(bits) : constant->isIntN(bits))
               ? ConstantInt::get(type, constant->trunc(bits))
               : nullptr;
  Value* number;
  if (has_sign ? !match(factor, m_SExtLike(m_Value(number))) : !match(factor, m_ZExt(m_Value(number))))
    return nullptr;
  if (number->getType()->getIntegerBitWidth() > bits) return nullptr;
  return has_sign ? build.CreateSExt(number, type) : build.CreateZExt(number, type);
}

/// The 64-bit result of a right shift, by 64 or more, of a 128-bit product; null for other instructions.
Value* high_part(BinaryOperator& shift) {
  Value *left, *right;
  std::uint64_t amount;
  if (!shift.getType()->isIntegerTy(wide) ||
      !match(&shift, m_Shr(m_Mul(m_Value(left), m_Value(right)), m_ConstantInt(amount))) || amount < bits ||
      amount >= wide)
    return nullptr;
  IRBuilder<> build(&shift);
  for (const bool has_sign : {false, true}) {
    Value *a = narrow_factor(build, left, has_sign), *b = narrow_factor(build, right, has_sign);
    if (!a || !b) continue;
    Value* result = high_product(build, a, b);
    if (has_sign) {
      result = build.CreateSub(result, where_negative(build, a, b));
      result = build.CreateSub(result, where_negative(build, b, a));
    }
    return build.CreateBinOp(shift.getOpcode(), result, build.getInt64(amount - bits));
  }
  return nullptr;
}

/// Replaces a shift by its 64-bit result. Truncations use the result itself; other users, as comparisons of high
/// halves, get its extension to 128 bits.
void replace(BinaryOperator& shift, Value& high) {
  IRBuilder<> build(&shift);
  for (User* user : make_early_inc_range(shift.users()))
    if (auto* part = dyn_cast<TruncInst>(user); part && part->getType()->getIntegerBitWidth() <= bits) {
      part->replaceAllUsesWith(build.CreateTrunc(&high, part->getType()));
      part->eraseFromParent();
    }
  if (!shift.use_empty()) {
    const bool has_sign = shift.getOpcode() == Instruction::AShr;
    shift.replaceAllUsesWith(has_sign ? build.CreateSExt(&high, shift.getType())
                                      : build.CreateZExt(&high, shift.getType()));
  }
  RecursivelyDeleteTriviallyDeadInstructions(&shift);
}

} // namespace

void split_wide_products(Function& kernel) {
  SmallVector<WeakVH, 8> shifts; // replacing one shift may delete others
  for (Instruction& instruction : instructions(kernel))
    if (instruction.isShift()) shifts.emplace_back(&instruction);
  for (const WeakVH& value : shifts) {
    auto* shift = cast_or_null<BinaryOperator>(value);
    if (Value* high = shift ? high_part(*shift) : nullptr) {
      replace(*shift, *high);
      note_change(Heuristic::wide_products);
    }
  }
}

} // namespace hostcl::compiler

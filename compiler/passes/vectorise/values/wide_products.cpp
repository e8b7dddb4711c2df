#include "compiler/passes/vectorise/values/wide_products.hpp"

#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned bits = 64, half = 32;

/// The high half of a product of unsigned numbers. The sums do not wrap.
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

/// The product that replaces `high`, or null if it is no high half.
Value* rewritten(Instruction& high) {
  Value *a, *b, *product;
  if (!high.getType()->isIntegerTy(bits) ||
      !match(&high, m_Trunc(m_Shr(m_Value(product), m_SpecificInt(bits)))))
    return nullptr;
  if (!product->getType()->isIntegerTy(2 * bits)) return nullptr;
  const bool has_sign = match(product, m_Mul(m_SExt(m_Value(a)), m_SExt(m_Value(b))));
  if (!has_sign && !match(product, m_Mul(m_ZExt(m_Value(a)), m_ZExt(m_Value(b))))) return nullptr;
  if (!a->getType()->isIntegerTy(bits) || !b->getType()->isIntegerTy(bits)) return nullptr;
  IRBuilder<> build(&high);
  Value* result = high_product(build, a, b);
  if (!has_sign) return result;
  result = build.CreateSub(result, where_negative(build, a, b));
  return build.CreateSub(result, where_negative(build, b, a));
}

} // namespace

void split_wide_products(Function& kernel) {
  if (!is_on(Heuristic::wide_products)) return;
  for (Instruction& instruction : make_early_inc_range(instructions(kernel)))
    if (Value* result = rewritten(instruction)) {
      instruction.replaceAllUsesWith(result);
      RecursivelyDeleteTriviallyDeadInstructions(&instruction);
    }
}

} // namespace hostcl::compiler

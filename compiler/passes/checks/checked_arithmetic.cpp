#include "compiler/passes/checks/checked_arithmetic.hpp"

namespace hostcl::compiler {

using namespace llvm;

void CheckedArithmetic::require(Value* condition) {
  if (condition) holds_ = holds_ ? build_.CreateAnd(holds_, condition) : condition;
}

void CheckedArithmetic::require_fits(Value* low, Value* high, unsigned bits, bool is_signed) {
  if (!is_signed) require(build_.CreateICmpSGE(low, build_.getInt64(0)));
  if (bits >= 64) return;
  const std::uint64_t most = maxUIntN(is_signed ? bits - 1 : bits);
  if (is_signed) require(build_.CreateICmpSGE(low, build_.getInt64(~most)));
  require(build_.CreateICmpSLE(high, build_.getInt64(most)));
}

Value* CheckedArithmetic::checked(Intrinsic::ID operation, Value* a, Value* b) {
  const auto *left = dyn_cast<ConstantInt>(a), *right = dyn_cast<ConstantInt>(b);
  if (left && right) { // the most frequent case
    bool overflows = false;
    const APInt result = operation == Intrinsic::sadd_with_overflow
                             ? left->getValue().sadd_ov(right->getValue(), overflows)
                             : left->getValue().smul_ov(right->getValue(), overflows);
    if (overflows) require(build_.getFalse());
    return build_.getInt(result);
  }
  Value* pair = build_.CreateBinaryIntrinsic(operation, a, b);
  require(build_.CreateNot(build_.CreateExtractValue(pair, 1)));
  return build_.CreateExtractValue(pair, 0);
}

Value* CheckedArithmetic::extreme(Intrinsic::ID operation, Value* a, Value* b) {
  const auto *left = dyn_cast<ConstantInt>(a), *right = dyn_cast<ConstantInt>(b);
  if (left && right) return left->getValue().slt(right->getValue()) == (operation == Intrinsic::smin) ? a : b;
  return a == b ? a : build_.CreateBinaryIntrinsic(operation, a, b);
}

} // namespace hostcl::compiler

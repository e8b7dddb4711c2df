#include "compiler/passes/1_kernel/guarded_division.hpp"

#include "compiler/passes/passes.hpp"

#include "compiler/ir/metadata.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool is_signed(const BinaryOperator& division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

/// Whether the divisor is a constant with which no numerator traps.
bool is_harmless(const BinaryOperator& division) {
  const APInt* divisor;
  return match(division.getOperand(1), m_APInt(divisor)) && !divisor->isZero() &&
         !(is_signed(division) && divisor->isAllOnes());
}

void guard(BinaryOperator& division) {
  IRBuilder<> builder(&division);
  Value *numerator = division.getOperand(0), *divisor = division.getOperand(1);
  Type* type = divisor->getType();
  Value* bad = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
  if (is_signed(division)) {
    Constant* least = ConstantInt::get(type, APInt::getSignedMinValue(type->getScalarSizeInBits()));
    Value* overflows = builder.CreateAnd(builder.CreateICmpEQ(numerator, least),
                                         builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type)));
    bad = builder.CreateOr(bad, overflows);
  }
  Value* safe = builder.CreateSelect(bad, ConstantInt::get(type, 1), divisor);
  if (auto* choice = dyn_cast<SelectInst>(safe))
    choice->setMetadata(metadata::guarded_divisor, MDNode::get(choice->getContext(), {}));
  division.setOperand(1, safe);
}

} // namespace

Value* programs_divisor(const Instruction& division) {
  Value* divisor = division.getOperand(1);
  auto* choice = dyn_cast<SelectInst>(divisor);
  const bool has_metadata = choice && choice->hasMetadata(metadata::guarded_divisor);
  return has_metadata && match(choice->getTrueValue(), m_One()) ? choice->getFalseValue() : divisor;
}

PreservedAnalyses guarded_division_pass(Function& function, FunctionAnalysisManager&) {
  return change_each(function, [](Instruction& instruction) {
    if (!instruction.isIntDivRem() || is_harmless(cast<BinaryOperator>(instruction))) return false;
    guard(cast<BinaryOperator>(instruction));
    return true;
  });
}

} // namespace hostcl::compiler

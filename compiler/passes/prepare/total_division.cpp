#include "compiler/passes/prepare/total_division.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool is_signed(const BinaryOperator& division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

/// Whether the divisor is a constant that no numerator can trap with.
bool is_harmless(const BinaryOperator& division) {
  const APInt* divisor;
  return match(division.getOperand(1), m_APInt(divisor)) && !divisor->isZero() &&
         !(is_signed(division) && divisor->isAllOnes());
}

void make_total(BinaryOperator& division) {
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
  division.setOperand(1, builder.CreateSelect(bad, ConstantInt::get(type, 1), divisor));
}

} // namespace

Value* programs_divisor(const Instruction& division) {
  Value *divisor = division.getOperand(1), *plain = nullptr, *open = nullptr, *narrow = nullptr;
  if (match(divisor, m_UMax(m_Value(plain), m_One()))) return plain; // as LLVM writes it
  if (!match(divisor, m_Select(m_Value(open), m_One(), m_Value(plain)))) return divisor;
  if (!match(plain, m_ZExtOrSExt(m_Value(narrow)))) narrow = plain;
  const auto is_zero =
      m_SpecificICmp(CmpInst::ICMP_EQ, m_CombineOr(m_Specific(plain), m_Specific(narrow)), m_Zero());
  const auto is_minus_one = m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(plain), m_AllOnes());
  const auto is_least = m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(division.getOperand(0)), m_SignMask());
  const auto overflows = m_c_LogicalAnd(is_least, is_minus_one);
  return match(open, is_zero) || match(open, m_c_LogicalOr(is_zero, overflows)) ? plain : divisor;
}

PreservedAnalyses TotalDivisionPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : instructions(function)) {
    if (!instruction.isIntDivRem()) continue;
    auto& division = cast<BinaryOperator>(instruction);
    if (is_harmless(division)) continue;
    make_total(division);
    changed = true;
  }
  return all_but_values(changed);
}

} // namespace hostcl::compiler

// Integer division for values/instructions.hpp. CPUs have no integer division for vectors, so it is done in floating
// point if the result is exact (Form::widen_float):
//
//   %q = udiv i32 %a, %b    =>   %x = uitofp <8 x i32> %a to <8 x double>
//                                %y = uitofp <8 x i32> %b to <8 x double>
//                                %q = fptoui (fdiv %x, %y)
//
// Why this is exact: a quotient a/b that is not an integer is at least 1/b below the next integer n. With a < 2^m, the
// quotient is smaller than n by a factor of at most 1 - 2^-m. Rounding keeps them apart if the mantissa has more than m
// bits.
//
// A uniform divisor is inverted once, and dividends are multiplied by the inverse: typical for the coordinates of an
// index, `i % width` and `i / width`.
//
// Tests: tests/passes/2_vector/vectorise_division.ll.

#include "compiler/passes/2_vector/values/instructions.hpp"

#include "compiler/passes/1_kernel/guarded_division.hpp"
#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_signed(const Instruction& division) {
  return division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
}

/// A value slightly above 1 / divisor, so that its product with a dividend is never below the exact quotient. The
/// relative error of the product is at most 2^-49, or 2^-20 for float. It does not reach the next integer, which is
/// farther away than quotient / (dividend + divisor). So rounding the product down gives the exact integer quotient.
Value* inverse(Emission& e, Value* divisor, Type* exact, bool is_signed) {
  auto& build = e.build;
  Value* real = is_signed ? build.CreateSIToFP(divisor, exact) : build.CreateUIToFP(divisor, exact);
  const double more = exact->isDoubleTy() ? 0x1p-50 : 0x1p-21;
  return build.CreateFMul(build.CreateFDiv(ConstantFP::get(exact, 1), real),
                          ConstantFP::get(exact, 1 + more));
}

/// Whether the division can be a multiplication by one inverse for all lanes: the divisor is uniform, and the result
/// exact.
bool has_one_inverse(const Emission& e, const Instruction& division) {
  if (division.getType()->isVectorTy() || !e.shape(programs_divisor(division)).is_uniform()) return false;
  return division.getType()->getIntegerBitWidth() <= 32 ||
         e.plan.shapes.upper_bound(*division.getOperand(0)) < std::uint64_t{1} << 46;
}

/// The quotient. Inactive lanes, and lanes whose quotient OpenCL leaves undefined, get any value.
Value* divide_exactly(Emission& e, Instruction& division) {
  auto& build = e.build;
  Type* exact = division.getType()->getScalarSizeInBits() <= 16 ? build.getFloatTy() : build.getDoubleTy();
  Value* dividend = e.vector(division.getOperand(0));
  auto* type = cast<FixedVectorType>(dividend->getType());
  auto* real = FixedVectorType::get(exact, type->getNumElements());
  const bool with_sign = is_signed(division);
  const auto converted = [&](Value* number) {
    return with_sign ? build.CreateSIToFP(number, real) : build.CreateUIToFP(number, real);
  };
  const auto integer = [&](Value* quotient) {
    return with_sign ? build.CreateFPToSI(quotient, type) : build.CreateFPToUI(quotient, type);
  };
  if (!has_one_inverse(e, division))
    return integer(build.CreateFDiv(converted(dividend), converted(e.vector(division.getOperand(1)))));
  Value* factor = inverse(e, e.scalar(programs_divisor(division)), exact, with_sign);
  Value* factors = build.CreateVectorSplat(type->getNumElements(), factor);
  return build.CreateFreeze(integer(build.CreateFMul(converted(dividend), factors)));
}

} // namespace

void emit_division(Emission& e, Instruction& division) {
  Type* type = division.getType();
  const Form form = e.plan.of(division).form;
  if (form == Form::widen_float) {
    note_change(Heuristic::float_division);
    Value* quotient = divide_exactly(e, division);
    if (division.getOpcode() == Instruction::UDiv || division.getOpcode() == Instruction::SDiv)
      return e.set(&division, quotient);
    Value* divisor = has_one_inverse(e, division) ? programs_divisor(division) : division.getOperand(1);
    Value* multiple = e.build.CreateMul(quotient, e.vector(divisor));
    return e.set(&division, e.build.CreateSub(e.vector(division.getOperand(0)), multiple));
  }
  Value* divisor = e.vector(division.getOperand(1));
  if (form == Form::widen_masked) {
    Constant* one = ConstantInt::get(divisor->getType(), 1);
    divisor = e.build.CreateSelect(e.mask_for(type, e.mask), divisor, one);
  }
  auto opcode = static_cast<Instruction::BinaryOps>(division.getOpcode());
  e.set(&division, e.build.CreateBinOp(opcode, e.vector(division.getOperand(0)), divisor));
}

} // namespace hostcl::compiler

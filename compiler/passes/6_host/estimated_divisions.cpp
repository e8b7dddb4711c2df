// Keeps fast divisions right for divisors that are 0 or infinite. In a program that is built with
// -cl-fast-relaxed-math, LLVM's x86 code generator divides vectors of float by the CPU's estimate of the reciprocal and
// one step of Newton's method. The step multiplies 0 by infinity for these divisors, and the quotient becomes NaN. GPUs
// give 0 and infinity, and programs rely on that: the usual sigmoid, 1 / (1 + exp(-x)), divides by infinity if x is
// below -88.
//
//   %q = fdiv fast <16 x float> %n, %d
// becomes, with AVX-512:
//   %y = call <16 x float> @llvm.x86.avx512.rcp14.ps.512(<16 x float> %d, ...)
//   %e = fmuladd(-%d, %y, 1)                          the relative error of %y; NaN if %d is 0 or infinite
//   %r = select (fcmp olt %e, 1), %e, 1               vminps, which returns its second operand for NaN
//   %q = fmul %n, fmuladd(%y, %r, %y)                 %n * 0 if %d is infinite, %n * infinity if %d is 0
// Divisions of half, and divisions for CPUs on which vectors have less than 512 bits, lose the flag `ninf` instead:
// LLVM does not estimate divisions without this flag.
//
// In: any code for x86, after the last pass that makes vectors. Not changed: divisions by a square root, for which LLVM
// estimates the reciprocal of the root. Cost: vminps, one of the four or five instructions of a division.
// Tests: tests/passes/6_host/estimated_divisions.ll, tests/kernels/language/math_options.cpp

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned lanes_of_register = 16;

/// Whether LLVM would estimate the quotient. LLVM computes quotients of half in float.
bool is_estimated(const Instruction& division) {
  if (division.getOpcode() != Instruction::FDiv || !isa<FixedVectorType>(division.getType())) return false;
  return !division.getType()->getScalarType()->isDoubleTy() && division.hasAllowReciprocal() &&
         division.hasNoInfs() && !match(division.getOperand(1), m_Intrinsic<Intrinsic::sqrt>(m_Value()));
}

/// Emits estimates of the reciprocals of all elements, one instruction for each 16 elements.
Value* estimate(IRBuilder<>& build, Value* divisor) {
  auto* type = cast<FixedVectorType>(divisor->getType());
  auto* whole = FixedVectorType::get(type->getElementType(), lanes_of_register);
  const unsigned count = type->getNumElements();
  SmallVector<Value*, 4> parts;
  for (unsigned first = 0; first < count; first += lanes_of_register) {
    SmallVector<int> mask = to_vector(seq(int(first), int(std::min(first + lanes_of_register, count))));
    mask.resize(lanes_of_register, PoisonMaskElem);
    Value* part = count == lanes_of_register ? divisor : build.CreateShuffleVector(divisor, mask);
    parts.push_back(build.CreateIntrinsic(
        Intrinsic::x86_avx512_rcp14_ps_512,
        {part, PoisonValue::get(whole), Constant::getAllOnesValue(build.getIntNTy(lanes_of_register))}));
  }
  Value* all = concatenateVectors(build, parts);
  return count == lanes_of_register * parts.size()
             ? all
             : build.CreateShuffleVector(all, to_vector(seq(0, int(count))));
}

Value* quotient(Instruction& division) {
  IRBuilder<> build(&division);
  Type* type = division.getType();
  Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
  Value *one = ConstantFP::get(type, 1), *y = estimate(build, divisor);
  Value* error = build.CreateIntrinsic(type, Intrinsic::fmuladd, {build.CreateFNeg(divisor), y, one});
  error = build.CreateSelect(build.CreateFCmpOLT(error, one), error, one);
  Value* reciprocal = build.CreateIntrinsic(type, Intrinsic::fmuladd, {y, error, y});
  if (match(dividend, m_FPOne())) return reciprocal;
  FastMathFlags flags;
  flags.setAllowContract();
  return build.CreateFMulFMF(dividend, reciprocal, flags);
}

} // namespace

PreservedAnalyses estimated_divisions_pass(Function& function, FunctionAnalysisManager&) {
  if (!function.getParent()->getTargetTriple().isX86()) return PreservedAnalyses::all();
  const bool has_estimate =
      function.getFnAttributeAsParsedInteger("prefer-vector-width", /*Default=*/256) == 512;
  return change_each(function, [&](Instruction& instruction) {
    if (!is_estimated(instruction)) return false;
    if (has_estimate && instruction.getType()->getScalarType()->isFloatTy()) {
      instruction.replaceAllUsesWith(quotient(instruction));
      instruction.eraseFromParent();
    } else {
      instruction.setHasNoInfs(false);
    }
    return true;
  });
}

} // namespace hostcl::compiler

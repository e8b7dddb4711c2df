// Works around a fault of LLVM 22's x86 code generator (not reported yet; the test has the text of a report): for CPUs
// with half arithmetic (AVX512-FP16), it crashes on a vector of integers of more than 64 bits that is converted to
// half. The pass converts to float first, scalars too, on all CPUs:
//
//   before:  %h = sitofp <2 x i128> %n to <2 x half>
//   after:   %f = sitofp <2 x i128> %n to <2 x float>
//            %h = fptrunc <2 x float> %f to <2 x half>
//
// The result is the same: float rounds integers from 2^24 on, and these are infinite in half.
//
// In: any function, just before code generation. Out: no such conversion.
// When the run FAULT of tests/passes/6_host/llvm_22/wide_to_half_fault.ll fails, LLVM is mended: the pass may go.

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

Value* convert_by_way_of_float(Instruction& instruction) {
  Type* half = instruction.getType();
  if (!isa<SIToFPInst, UIToFPInst>(instruction) || !half->getScalarType()->isHalfTy()) return nullptr;
  Value* number = instruction.getOperand(0);
  if (number->getType()->getScalarSizeInBits() <= 64) return nullptr;
  IRBuilder<> build(&instruction);
  Type* wide = half->getWithNewType(build.getFloatTy());
  Value* real = build.CreateCast(cast<CastInst>(instruction).getOpcode(), number, wide);
  return build.CreateFPTrunc(real, half);
}

} // namespace

PreservedAnalyses wide_to_half_pass(Function& function, FunctionAnalysisManager&) {
  return replace_each(function, convert_by_way_of_float);
}

} // namespace hostcl::compiler

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
// When the run FAULT of tests/passes/llvm_22/wide_to_half_fault.ll fails, LLVM is mended: the pass may go.

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_wide_to_half(const Instruction& instruction) {
  return isa<SIToFPInst, UIToFPInst>(instruction) && instruction.getType()->getScalarType()->isHalfTy() &&
         instruction.getOperand(0)->getType()->getScalarSizeInBits() > 64;
}

void convert_by_way_of_float(CastInst& cast) {
  IRBuilder<> build(&cast);
  Type* half = cast.getType();
  Value* wide =
      build.CreateCast(cast.getOpcode(), cast.getOperand(0), half->getWithNewType(build.getFloatTy()));
  cast.replaceAllUsesWith(build.CreateFPTrunc(wide, half));
  cast.eraseFromParent();
}

} // namespace

PreservedAnalyses wide_to_half_pass(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (is_wide_to_half(instruction)) {
      convert_by_way_of_float(cast<CastInst>(instruction));
      changed = true;
    }
  return all_but_values(changed);
}

} // namespace hostcl::compiler

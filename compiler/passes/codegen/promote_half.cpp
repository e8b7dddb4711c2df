#include "compiler/passes/codegen/promote_half.hpp"

#include "compiler/passes/preserved.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the operation in float gives a permitted result: it returns one of its operands, or an integer that half can
/// represent if it can represent the operand; or it is fmuladd, which permits any number of roundings.
bool is_as_good_in_float(const Instruction& instruction) {
  const auto* call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || !call->getType()->getScalarType()->isHalfTy()) return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::round:
  case Intrinsic::fmuladd:
    return true;
  default:
    return false;
  }
}

void promote(IntrinsicInst& call) {
  IRBuilder<> build(&call);
  build.setFastMathFlags(call.getFastMathFlags());
  Type* half = call.getType();
  Type* wide = half->getWithNewType(build.getFloatTy());
  SmallVector<Value*, 3> operands;
  for (Value* operand : call.args())
    operands.push_back(build.CreateFPExt(operand, wide));
  Value* result = build.CreateIntrinsic(wide, call.getIntrinsicID(), operands);
  call.replaceAllUsesWith(build.CreateFPTrunc(result, half));
  call.eraseFromParent();
}

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

PreservedAnalyses WideToHalfPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (is_wide_to_half(instruction)) {
      convert_by_way_of_float(cast<CastInst>(instruction));
      changed = true;
    }
  return all_but_values(changed);
}

PreservedAnalyses PromoteHalfPass::run(Function& function, FunctionAnalysisManager&) {
  if (!is_on(Heuristic::promote_half)) return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (is_as_good_in_float(instruction)) {
      promote(cast<IntrinsicInst>(instruction));
      changed = true;
    }
  return all_but_values(note_change(Heuristic::promote_half, changed));
}

} // namespace hostcl::compiler

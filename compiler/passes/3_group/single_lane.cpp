// Lowers sub-group operations of kernels that were not vectorised. Each work-item is then a sub-group of its own
// (docs/kernel-ir.md), so every operation has a trivial result. Tests: single_lane*.ll
//
//   before: %sum = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %x)
//           %before = call i32 @__hostcl_sub_group_scan_exclusive_add_i32(i32 %x)
//           %w = call i32 @__hostcl_sub_group_width()
//   after:  %sum is %x, %before is 0, %w is 1

#include "compiler/passes/passes.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The result of a `__hostcl_sub_group_*` call with one lane.
Value* result_of(CallBase& call) {
  const SubGroupOperation operation = called_operation(call);
  switch (operation.kind) {
  case SubGroupOperation::ballot: {
    IRBuilder<> builder(&call);
    Value* bit = builder.CreateZExt(call.getArgOperand(0), builder.getInt32Ty());
    return builder.CreateInsertElement(Constant::getNullValue(call.getType()), bit, std::uint64_t(0));
  }
  case SubGroupOperation::scan_exclusive:
    return neutral_value(operation.combine, call.getType());
  default: // The only lane's own value: a reduction, an inclusive scan, a shuffle, a vote.
    return call.getArgOperand(0);
  }
}

Value* replacement(Instruction& instruction) {
  switch (called_intrinsic(instruction).value_or(Intrinsic::barrier)) {
  case Intrinsic::sub_group_lane:
    return ConstantInt::get(instruction.getType(), 0);
  case Intrinsic::sub_group_width:
  case Intrinsic::sub_group_stride:
    return ConstantInt::get(instruction.getType(), 1);
  case Intrinsic::sub_group:
    return result_of(cast<CallBase>(instruction));
  default:
    return nullptr;
  }
}

} // namespace

PreservedAnalyses single_lane_pass(Function& function, FunctionAnalysisManager&) {
  return replace_each(function, replacement);
}

} // namespace hostcl::compiler

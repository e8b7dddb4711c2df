#include "compiler/passes/single_lane.hpp"

#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// What an exclusive scan gives to the first lane: the value that changes nothing.
Constant* identity(StringRef operation, Type* type) {
  if (type->isFloatingPointTy()) {
    if (operation == "mul") return ConstantFP::get(type, 1.0);
    if (operation == "min" || operation == "max") return ConstantFP::getInfinity(type, operation == "max");
    return ConstantFP::getZero(type);
  }
  unsigned bits = type->getIntegerBitWidth();
  if (operation == "mul") return ConstantInt::get(type, 1);
  if (operation == "and" || operation == "umin") return Constant::getAllOnesValue(type);
  if (operation == "min") return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  if (operation == "max") return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  return Constant::getNullValue(type);
}

/// The result of a `__hostcl_sub_group_*` call with one lane. `operation` is the name without that prefix.
Value* result_of(CallBase& call, StringRef operation) {
  if (operation == "ballot") {
    IRBuilder<> builder(&call);
    Value* bit = builder.CreateZExt(call.getArgOperand(0), builder.getInt32Ty());
    return builder.CreateInsertElement(Constant::getNullValue(call.getType()), bit, std::uint64_t(0));
  }
  if (operation.consume_front("scan_exclusive_")) return identity(operation.split('_').first, call.getType());
  // Reductions, inclusive scans, votes, and another lane's value: there is no other lane.
  return call.getArgOperand(0);
}

Value* replacement(CallBase& call, Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::sub_group_lane:
    return ConstantInt::get(call.getType(), 0);
  case Intrinsic::sub_group_width:
    return ConstantInt::get(call.getType(), 1);
  case Intrinsic::sub_group: {
    StringRef name = call.getCalledFunction()->getName();
    name.consume_front("__hostcl_sub_group_");
    return result_of(call, name);
  }
  default:
    return nullptr;
  }
}

} // namespace

PreservedAnalyses SingleLanePass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto intrinsic = called_intrinsic(instruction);
    if (!intrinsic) continue;
    Value* value = replacement(cast<CallBase>(instruction), *intrinsic);
    if (!value) continue;
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
    changed = true;
  }
  return all_but_values(changed);
}

} // namespace hostcl::compiler

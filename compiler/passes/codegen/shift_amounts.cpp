#include "compiler/passes/codegen/shift_amounts.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The amounts with 0 in the lanes that are out of range or undefined; null if there is no such lane.
Constant* smaller_amounts(const Constant& amounts) {
  const auto* type = dyn_cast<FixedVectorType>(amounts.getType());
  if (!type) return nullptr;
  bool changed = false;
  SmallVector<Constant*, 16> lanes;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    Constant* amount = amounts.getAggregateElement(lane);
    if (!amount) return nullptr;
    const auto* number = dyn_cast<ConstantInt>(amount);
    const bool is_poison =
        number ? number->getValue().uge(type->getScalarSizeInBits()) : isa<UndefValue>(amount);
    lanes.push_back(is_poison ? Constant::getNullValue(type->getElementType()) : amount);
    changed |= is_poison;
  }
  return changed ? ConstantVector::get(lanes) : nullptr;
}

} // namespace

PreservedAnalyses ShiftAmountsPass::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (Instruction& instruction : instructions(function)) {
    if (!instruction.isShift()) continue;
    const auto* amounts = dyn_cast<Constant>(instruction.getOperand(1));
    Constant* smaller = amounts ? smaller_amounts(*amounts) : nullptr;
    if (!smaller) continue;
    instruction.setOperand(1, smaller);
    changed = true;
  }
  return all_but_values(changed);
}

} // namespace hostcl::compiler

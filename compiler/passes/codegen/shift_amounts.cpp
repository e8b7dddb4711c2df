// Works around a bug of LLVM 22's code generator for AVX-512: replaces constant shift amounts that are out of range by
// 0. If LLVM's SLP vectoriser combines scalars with different operations to a vector, it performs each operation in all
// lanes and selects among the results. In lanes whose result is not selected, a shift then has operands of other
// operations. Such a lane is poison, but the code generator draws conclusions from its amount for the other lanes:
//
//   before:  %s = ashr exact <2 x i64> %v, <i64 32, i64 255>
//   after:   %s = ashr exact <2 x i64> %v, <i64 32, i64 0>
//
// In: any code, after the last pass that makes vectors. Test: tests/passes/codegen/shift_amounts.ll

#include "compiler/passes/passes.hpp"

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

PreservedAnalyses shift_amounts_pass(Function& function, FunctionAnalysisManager&) {
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

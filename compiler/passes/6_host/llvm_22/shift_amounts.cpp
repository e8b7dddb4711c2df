// Works around a fault of LLVM 22's x86 code generator for AVX-512 (not reported yet; the test has the text of a
// report): replaces constant shift amounts that are out of range by 0. If LLVM's SLP vectoriser combines scalars with
// different operations to a vector, it performs each operation in all lanes and selects among the results. In lanes
// whose result is not selected, a shift then has operands of other operations, such as the amount 255 here:
//
//   before:  %s = ashr exact <2 x i64> %v, <i64 32, i64 255>
//            %r = shufflevector <2 x i64> %s, <2 x i64> %other, <2 x i32> <i32 0, i32 3>
//   after:   %s = ashr exact <2 x i64> %v, <i64 32, i64 0>
//
// The code generator assumes that lane 1 of %s is 0, because its amount is out of range, and combines %s and %other by
// `or`. The CPU's shift, however, fills the lane with the sign.
//
// In: any code, after the last pass that makes vectors. Out: no vector shift by a constant amount that is out of range.
// When the run FAULT of tests/passes/6_host/llvm_22/shift_amounts_fault.ll fails, LLVM is mended: the pass may go.

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/IR/Constants.h"
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

bool reduce_amounts(Instruction& shift) {
  const auto* amounts = shift.isShift() ? dyn_cast<Constant>(shift.getOperand(1)) : nullptr;
  Constant* smaller = amounts ? smaller_amounts(*amounts) : nullptr;
  if (smaller) shift.setOperand(1, smaller);
  return smaller;
}

} // namespace

PreservedAnalyses shift_amounts_pass(Function& function, FunctionAnalysisManager&) {
  return change_each(function, reduce_amounts);
}

} // namespace hostcl::compiler

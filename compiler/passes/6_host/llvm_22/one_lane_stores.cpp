// Works around a fault of LLVM 22's x86 code generator (llvm/llvm-project#179489, fixed in LLVM 23): rewrites masked
// stores with a constant mask of one lane as scalar stores. If the stored vector is a truncation, the code generator
// stores the lane as it was before truncation, over the neighbouring bytes:
//
//   before:  %t = trunc <4 x i32> %v to <4 x i8>
//            masked.store(%t, p, <false, true, false, false>)
//
//   after:   %e = extractelement <4 x i8> %t, 1
//            store i8 %e, p + 1
//
// In: any function, just before code generation. Out: no masked store with a constant mask of one lane whose elements
// are whole bytes.
// When the run FAULT of tests/passes/6_host/llvm_22/one_lane_stores_fault.ll fails, LLVM is mended: the pass may go.

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Operands of llvm.masked.store.
enum MaskedStoreOperand { stored_value, stored_to, store_mask };

/// The only active lane of a constant mask; nothing if the mask is not constant or has not exactly one active lane.
std::optional<unsigned> only_lane(Value* mask) {
  const auto* constant = dyn_cast<Constant>(mask);
  const APInt lanes = possiblyDemandedEltsInMask(mask);
  if (!constant || lanes.popcount() != 1) return std::nullopt;
  const Constant* active = constant->getAggregateElement(lanes.countr_zero());
  return active && active->isOneValue() ? std::optional(lanes.countr_zero()) : std::nullopt;
}

bool store_element(Instruction& instruction) {
  auto* store = dyn_cast<IntrinsicInst>(&instruction);
  if (!store || store->getIntrinsicID() != Intrinsic::masked_store) return false;
  Value* value = store->getArgOperand(stored_value);
  const auto lane = only_lane(store->getArgOperand(store_mask));
  Type* element = value->getType()->getScalarType();
  const DataLayout& layout = store->getDataLayout();
  if (!lane || !layout.typeSizeEqualsStoreSize(element)) return false; // bits of several lanes share a byte
  const std::uint64_t offset = *lane * layout.getTypeStoreSize(element);
  IRBuilder<> build(store);
  Value* to = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), store->getArgOperand(stored_to), offset);
  const Align alignment = commonAlignment(store->getParamAlign(stored_to).valueOrOne(), offset);
  StoreInst* stored = build.CreateAlignedStore(build.CreateExtractElement(value, *lane), to, alignment);
  stored->copyMetadata(*store);
  store->eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses one_lane_stores_pass(Function& function, FunctionAnalysisManager&) {
  return change_each(function, store_element);
}

} // namespace hostcl::compiler

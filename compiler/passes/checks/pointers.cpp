#include "compiler/passes/checks/pointers.hpp"

#include "compiler/abi/image.hpp"
#include "compiler/ir/spaces.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace hostcl::compiler {

using namespace llvm;

std::optional<std::uint64_t> size_of_variable(const Value& value) {
  if (const auto* variable = dyn_cast<AllocaInst>(&value)) {
    const auto bytes = variable->getAllocationSize(variable->getDataLayout());
    return bytes ? std::optional(bytes->getFixedValue()) : std::nullopt;
  }
  const auto* variable = dyn_cast<GlobalVariable>(&value);
  if (!variable) return std::nullopt;
  return variable->getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
}

Value* operand_of_address(Value& pointer) {
  const bool is_address = isa<GEPOperator, BitCastOperator, AddrSpaceCastOperator, FreezeInst>(pointer);
  return is_address ? cast<User>(pointer).getOperand(0) : nullptr;
}

PointerRoots roots_of(Value& pointer, Value* (*base_of)(Value&)) {
  SmallPtrSet<Value*, 8> seen;
  SmallVector<Value*, 8> open{&pointer};
  PointerRoots roots;
  while (!open.empty()) {
    Value* value = open.pop_back_val();
    while (Value* base = base_of(*value))
      value = base;
    if (!seen.insert(value).second) continue;
    if (auto* phi = dyn_cast<PHINode>(value))
      append_range(open, phi->incoming_values());
    else if (auto* select = dyn_cast<SelectInst>(value))
      open.append({select->getTrueValue(), select->getFalseValue()});
    else
      roots.insert(value);
  }
  return roots;
}

IRBuilder<> builder_before(Value& value, const IRBuilder<>& entry) {
  if (auto* instruction = dyn_cast<Instruction>(&value)) return IRBuilder<>(instruction);
  return IRBuilder<>(entry.GetInsertBlock(), entry.GetInsertPoint());
}

IRBuilder<> builder_behind(Value& value, const IRBuilder<>& entry) {
  auto* instruction = dyn_cast<Instruction>(&value);
  const auto behind =
      instruction && !isa<AllocaInst>(instruction) ? instruction->getInsertionPointAfterDef() : std::nullopt;
  if (behind) return IRBuilder<>((*behind)->getParent(), *behind);
  return IRBuilder<>(entry.GetInsertBlock(), entry.GetInsertPoint());
}

bool is_image(const Value& value) {
  const auto* parameter = dyn_cast<Argument>(&value);
  return parameter && parameter->getType()->isPointerTy() &&
         parameter->getType()->getPointerAddressSpace() == constant_space &&
         parameter->getDereferenceableBytes() == sizeof(abi::Image);
}

const Argument* image_of(const Value& pointer) {
  const auto* load = dyn_cast<LoadInst>(getUnderlyingObject(&pointer));
  const Value* descriptor = load ? getUnderlyingObject(load->getPointerOperand()) : nullptr;
  return descriptor && is_image(*descriptor) ? cast<Argument>(descriptor) : nullptr;
}

} // namespace hostcl::compiler

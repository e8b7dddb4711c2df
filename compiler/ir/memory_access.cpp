#include "compiler/ir/memory_access.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

Value* MemoryAccess::pointer() const {
  return instruction->getOperand(operand);
}

Value* MemoryAccess::bytes() const {
  if (!type) return cast<MemIntrinsic>(instruction)->getLength();
  return ConstantInt::get(Type::getInt64Ty(type->getContext()),
                          instruction->getDataLayout().getTypeStoreSize(type).getFixedValue());
}

std::uint64_t MemoryAccess::known_bytes() const {
  const auto* known = dyn_cast<ConstantInt>(bytes());
  return known ? known->getZExtValue() : 0;
}

SmallVector<MemoryAccess, 2> memory_accesses(Instruction& instruction) {
  using abi::Access;
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return {{load, load->getPointerOperandIndex(), load->getType(), load->getAlign(), Access::read,
             load->getOrdering()}};
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return {{store, store->getPointerOperandIndex(), store->getValueOperand()->getType(), store->getAlign(),
             Access::write, store->getOrdering()}};
  if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return {{update, update->getPointerOperandIndex(), update->getType(), update->getAlign(), Access::update,
             update->getOrdering()}};
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return {{exchange, exchange->getPointerOperandIndex(), exchange->getNewValOperand()->getType(),
             exchange->getAlign(), Access::update, exchange->getMergedOrdering()}};
  auto* memory = dyn_cast<MemIntrinsic>(&instruction);
  if (!memory) return {};
  SmallVector<MemoryAccess, 2> accesses{
      {memory, 0, nullptr, memory->getDestAlign().valueOrOne(), Access::write}};
  if (auto* copy = dyn_cast<MemTransferInst>(memory))
    accesses.push_back({copy, 1, nullptr, copy->getSourceAlign().valueOrOne(), Access::read});
  return accesses;
}

} // namespace hostcl::compiler

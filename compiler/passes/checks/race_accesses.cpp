#include "compiler/passes/checks/race_accesses.hpp"

#include "compiler/abi/race.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"
#include "compiler/passes/checks/pointers.hpp"
#include "compiler/passes/checks/shadow_memory.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_of_work_items(const Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  // Accesses of work-group functions to group scratch are synchronised in ways that the check does not know
  // (docs/kernel-ir.md).
  return (space == global_space || space == local_space) &&
         !is_call_of(*getUnderlyingObject(&pointer), Intrinsic::group_scratch);
}

bool is_of_commands(const Value& pointer) {
  const auto* variable = dyn_cast<GlobalVariable>(getUnderlyingObject(&pointer));
  if (variable && variable->isConstant()) return false;
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == constant_space || (space == global_space && is_of_work_items(pointer));
}

SmallVector<SharedAccess, 32> accesses_of(Function& kernel, bool (*is_looked_for)(const Value&)) {
  SmallPtrSet<const Instruction*, 32> copying;
  for (const Instruction& instruction : instructions(kernel))
    if (called_function(instruction) == copy_begin)
      add_reachable(
          instruction, [](const Instruction& next) { return called_function(next) == copy_end; }, copying);
  SmallVector<SharedAccess, 32> found;
  for (Instruction& instruction : instructions(kernel))
    for (const MemoryAccess& access : memory_accesses(instruction))
      if (is_looked_for(*access.pointer()) && !instruction.hasMetadata(LLVMContext::MD_invariant_load) &&
          !is_in_shadow(*access.pointer()))
        found.push_back({access, copying.contains(&instruction)});
  return found;
}

} // namespace

bool SharedAccess::is_local() const {
  return pointer()->getType()->getPointerAddressSpace() == local_space;
}

SmallVector<SharedAccess, 32> shared_accesses(Function& kernel) {
  return accesses_of(kernel, is_of_work_items);
}

SmallVector<SharedAccess, 32> command_accesses(Function& kernel) {
  return accesses_of(kernel, is_of_commands);
}

bool has_position(const SharedAccess& access) {
  return isa<Argument, GlobalVariable>(getUnderlyingObject(access.pointer()));
}

Constant* site_of(const SharedAccess& access, Check check) {
  const Value* root = getUnderlyingObject(access.pointer());
  return site_of(*access.instruction, {.check = check,
                                       .root = has_position(access) ? root : image_of(*root),
                                       .bytes = access.known_bytes(),
                                       .access = access.kind,
                                       .tells_position = has_position(access)});
}

bool has_fences(Function& kernel) {
  return any_of(instructions(kernel),
                [](const Instruction& instruction) { return isa<FenceInst>(instruction); });
}

std::uint32_t order_of(const MemoryAccess& access, bool has_fences) {
  if (!access.is_atomic()) return 0;
  std::uint32_t order = 0;
  if (access.writes() && (has_fences || isReleaseOrStronger(access.ordering))) order |= abi::race_release;
  if (access.reads() && (has_fences || isAcquireOrStronger(access.ordering))) order |= abi::race_acquire;
  return order;
}

void add_reachable(const Instruction& first, function_ref<bool(const Instruction&)> ends,
                   SmallPtrSetImpl<const Instruction*>& reached) {
  SmallVector<const Instruction*, 8> open{&first};
  SmallPtrSet<const Instruction*, 8> seen;
  while (!open.empty()) {
    const Instruction* next = open.pop_back_val();
    if (!seen.insert(next).second) continue;
    for (; next && !ends(*next); next = next->getNextNode()) {
      reached.insert(next);
      if (next->isTerminator())
        for (const BasicBlock* block : successors(next->getParent()))
          open.push_back(&block->front());
    }
  }
}

void erase_copy_calls(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (const StringRef name = called_function(instruction); name == copy_begin || name == copy_end)
      instruction.eraseFromParent();
}

Value* changes_nothing(IRBuilder<>& builder, const SharedAccess& access) {
  auto* store = dyn_cast<StoreInst>(access.instruction);
  if (!store || access.is_atomic()) return nullptr;
  const DataLayout& layout = store->getDataLayout();
  const std::uint64_t bits = layout.getTypeSizeInBits(access.type).getFixedValue();
  if (!access.type->isSingleValueType() || bits % 8 != 0 ||
      (access.type->isVectorTy() && access.type->isPtrOrPtrVectorTy()))
    return nullptr;
  auto number = [&](Value* value) -> Value* {
    if (access.type->isPointerTy()) value = builder.CreatePtrToInt(value, builder.getIntPtrTy(layout));
    return builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(bits)));
  };
  Value* now = builder.CreateAlignedLoad(access.type, access.pointer(), access.alignment);
  return builder.CreateICmpEQ(number(now), number(builder.CreateFreeze(store->getValueOperand())));
}

} // namespace hostcl::compiler

#include "compiler/passes/checks/race_accesses.hpp"

#include "compiler/abi/race.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/collectives.hpp"
#include "compiler/passes/checks/shadow_memory.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

bool is_shared(const Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  if (space != global_space && space != local_space) return false;
  // Accesses of work-group functions to group scratch are synchronised in ways that the check does not know
  // (docs/kernel-ir.md).
  return !is_call_of(*getUnderlyingObject(&pointer), Intrinsic::group_scratch);
}

namespace {

bool is_of_commands(const Value& pointer) {
  const Value* root = getUnderlyingObject(&pointer);
  if (const auto* variable = dyn_cast<GlobalVariable>(root); variable && variable->isConstant()) return false;
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == constant_space || (space == global_space && is_shared(pointer));
}

class Accesses {
public:
  Accesses(Function& kernel, bool (*is_looked_for)(const Value&))
      : layout_(kernel.getDataLayout()), is_looked_for_(is_looked_for) {
    for (Instruction& instruction : instructions(kernel))
      note(instruction);
    find_copies(kernel);
  }
  SmallVector<SharedAccess, 32> found;

private:
  void find_copies(Function& kernel);
  void note(Instruction& instruction) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      if (!load->hasMetadata(LLVMContext::MD_invariant_load))
        add(instruction, load->getPointerOperand(), load->getType(), load->getAlign(), nullptr, false,
            load->isAtomic());
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      Value* value = store->getValueOperand();
      add(instruction, store->getPointerOperand(), value->getType(), store->getAlign(), value, true,
          store->isAtomic());
    } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
      add(instruction, update->getPointerOperand(), update->getType(), update->getAlign(), nullptr, true,
          true);
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      add(instruction, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
          exchange->getAlign(), nullptr, true, true);
    } else if (auto* memory = dyn_cast<MemIntrinsic>(&instruction)) {
      add_range(instruction, memory->getRawDest(), memory->getDestAlign(), memory->getLength(), true);
      if (auto* copy = dyn_cast<MemTransferInst>(memory))
        add_range(instruction, copy->getRawSource(), copy->getSourceAlign(), copy->getLength(), false);
    }
  }

  void add(Instruction& instruction, Value* pointer, Type* type, Align alignment, Value* written, bool writes,
           bool is_atomic) {
    if (!is_looked_for_(*pointer) || is_in_shadow(*pointer)) return;
    Value* bytes = ConstantInt::get(Type::getInt64Ty(type->getContext()),
                                    layout_.getTypeStoreSize(type).getFixedValue());
    found.push_back({&instruction, pointer, bytes, alignment, written, writes, is_atomic});
  }

  void add_range(Instruction& instruction, Value* pointer, MaybeAlign alignment, Value* bytes, bool writes) {
    if (is_looked_for_(*pointer) && !is_in_shadow(*pointer))
      found.push_back({&instruction, pointer, bytes, alignment.valueOrOne(), nullptr, writes, false});
  }

  const DataLayout& layout_;
  bool (*is_looked_for_)(const Value&);
};

bool calls(const Instruction& instruction, StringRef name) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName() == name;
}

/// Sets SharedAccess::is_copy for the accesses between the calls of copy_begin and copy_end.
void Accesses::find_copies(Function& kernel) {
  SmallPtrSet<const Instruction*, 32> copying;
  SmallPtrSet<const Instruction*, 8> begun;
  SmallVector<const Instruction*, 8> open;
  for (const Instruction& instruction : instructions(kernel))
    if (calls(instruction, copy_begin)) open.push_back(instruction.getNextNode());
  while (!open.empty()) {
    const Instruction* next = open.pop_back_val();
    if (!begun.insert(next).second) continue;
    for (; next && !calls(*next, copy_end); next = next->getNextNode()) {
      copying.insert(next);
      if (next->isTerminator())
        for (const BasicBlock* block : successors(next->getParent()))
          open.push_back(&block->front());
    }
  }
  for (SharedAccess& access : found)
    access.is_copy = copying.contains(access.instruction);
}

} // namespace

SmallVector<SharedAccess, 32> shared_accesses(Function& kernel) {
  return Accesses(kernel, is_shared).found;
}

SmallVector<SharedAccess, 32> command_accesses(Function& kernel) {
  return Accesses(kernel, is_of_commands).found;
}

const Argument* image_of(const SharedAccess& access) {
  const auto* load = dyn_cast<LoadInst>(getUnderlyingObject(access.pointer));
  const auto* image = load ? dyn_cast<Argument>(getUnderlyingObject(load->getPointerOperand())) : nullptr;
  return image && image->getType()->getPointerAddressSpace() == constant_space ? image : nullptr;
}

std::uint64_t granule_bits(const SharedAccess& access) {
  if (image_of(access)) return 0;
  const auto* bytes = dyn_cast<ConstantInt>(access.bytes);
  return access.alignment.value() | (bytes ? bytes->getZExtValue() : 0);
}

const Value* named_root(const SharedAccess& access) {
  const Value* root = getUnderlyingObject(access.pointer);
  if (isa<Argument, GlobalVariable>(root)) return root;
  return image_of(access);
}

bool has_position(const SharedAccess& access) {
  const Value* root = getUnderlyingObject(access.pointer);
  return isa<Argument, GlobalVariable>(root);
}

bool has_fences(Function& kernel) {
  return any_of(instructions(kernel),
                [](const Instruction& instruction) { return isa<FenceInst>(instruction); });
}

Value& atomic_object(Instruction& instruction) {
  return *instruction.getOperand(isa<StoreInst>(instruction) ? 1 : 0);
}

std::uint32_t order_of(const Instruction& instruction, bool has_fences) {
  auto bits = [&](AtomicOrdering order, bool reads, bool writes) {
    std::uint32_t what = 0;
    if (writes && (has_fences || isReleaseOrStronger(order))) what |= abi::race_release;
    if (reads && (has_fences || isAcquireOrStronger(order))) what |= abi::race_acquire;
    return what;
  };
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isAtomic() ? bits(load->getOrdering(), true, false) : 0;
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return store->isAtomic() ? bits(store->getOrdering(), false, true) : 0;
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return bits(update->getOrdering(), true, true);
  if (const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return bits(exchange->getMergedOrdering(), true, true);
  return 0;
}

void erase_copy_calls(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (calls(instruction, copy_begin) || calls(instruction, copy_end)) instruction.eraseFromParent();
}

Value* changes_nothing(IRBuilder<>& builder, const SharedAccess& access) {
  if (!access.written || access.is_atomic) return nullptr;
  Type* type = access.written->getType();
  const TypeSize bits = builder.GetInsertBlock()->getDataLayout().getTypeSizeInBits(type);
  if (!type->isSingleValueType() || bits.getFixedValue() % 8 != 0) return nullptr;
  Type* integer = builder.getIntNTy(static_cast<unsigned>(bits.getFixedValue()));
  Value* now = builder.CreateAlignedLoad(type, access.pointer, access.alignment);
  auto number = [&](Value* value) -> Value* {
    if (type->isPtrOrPtrVectorTy())
      value = builder.CreatePtrToInt(value, builder.getIntPtrTy(builder.GetInsertBlock()->getDataLayout()));
    return builder.CreateBitCast(value, integer);
  };
  if (type->isVectorTy() && type->isPtrOrPtrVectorTy()) return nullptr;
  return builder.CreateICmpEQ(number(now), number(builder.CreateFreeze(access.written)));
}

} // namespace hostcl::compiler

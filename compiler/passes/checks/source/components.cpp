// Narrows accesses to components of vectors to the components that the source accesses. clang loads the whole vector
// for a component, and to write a component, it loads the vector and stores all components. For checks of races and
// initialisation, these additional accesses would be wrong findings.
//
//   before:  %old = load <4 x float>, ptr addrspace(1) %p         v[i].yz = ...
//            %new = shufflevector %old, %values, <0, 4, 5, 3>
//            store <4 x float> %new, ptr addrspace(1) %p
//
//   after:   %y = getelementptr i8, ptr addrspace(1) %p, i64 4
//            %parts = shufflevector %new, poison, <1, 2>
//            store <2 x float> %parts, ptr addrspace(1) %y
//
// Vectors in private memory are not changed, so that they can be kept in registers. Neither are loads of the first
// three of four components, which is how clang loads a vector of three.
//
// In:  code as the front end made it.
// Test: tests/passes/checks/own_components.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/spaces.hpp"
#include "compiler/passes/checks/findings.hpp"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The type as a vector type, if the memory may be shared between work-items and the components are addressable; null
/// otherwise.
FixedVectorType* shared_vector(Type* type, const Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  if (space == private_space || space == constant_space) return nullptr;
  auto* vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getScalarSizeInBits() % 8 == 0 && !vector->getElementType()->isPointerTy()
             ? vector
             : nullptr;
}

/// The origin of a lane's value: a lane of another vector, such as a loaded vector, or a scalar that was inserted.
/// `value` is poison if the lane is undefined.
struct Lane {
  Value* value;
  unsigned number;
};

/// Follows a lane of a value back through insertions and shuffles.
Lane origin_of(Value& value, unsigned lane) {
  if (auto* insertion = dyn_cast<InsertElementInst>(&value))
    if (const auto* index = dyn_cast<ConstantInt>(insertion->getOperand(2)))
      return index->equalsInt(lane) ? Lane{insertion->getOperand(1), lane}
                                    : origin_of(*insertion->getOperand(0), lane);
  if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&value)) {
    if (shuffle->getMaskValue(lane) < 0) return {PoisonValue::get(value.getType()), lane};
    const auto from = static_cast<unsigned>(shuffle->getMaskValue(lane));
    const unsigned lanes = cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
    return origin_of(*shuffle->getOperand(from < lanes ? 0 : 1), from % lanes);
  }
  return {&value, lane};
}

/// Whether both are in the same block and no instruction between them writes to memory.
bool is_undisturbed(const LoadInst& load, const StoreInst& store) {
  if (load.getParent() != store.getParent()) return false;
  for (const Instruction* next = load.getNextNode(); next; next = next->getNextNode()) {
    if (next == &store) return true;
    if (next->mayWriteToMemory()) return false;
  }
  return false;
}

/// The lanes that a store changes, if it stores some lanes back as they were loaded; nothing if the store must stay as
/// it is.
std::optional<SmallBitVector> changed_lanes(StoreInst& store) {
  Value& value = *store.getValueOperand();
  const auto* type = shared_vector(value.getType(), *store.getPointerOperand());
  if (!type || store.isAtomic()) return std::nullopt;
  SmallBitVector changed(type->getNumElements());
  bool keeps_any = false;
  for (unsigned lane = 0; lane < changed.size(); ++lane) {
    const Lane from = origin_of(value, lane);
    const auto* load = dyn_cast<LoadInst>(from.value);
    const bool is_kept = load && from.number == lane && load->getType() == value.getType() &&
                         load->getPointerOperand() == store.getPointerOperand() &&
                         is_undisturbed(*load, store);
    keeps_any |= is_kept;
    changed[lane] = !is_kept && !isa<UndefValue>(from.value);
  }
  if (!keeps_any) return std::nullopt;
  return changed;
}

/// Calls `visit` with the first lane and the length of each run of contiguous lanes.
template <class Visit>
void for_runs(const SmallBitVector& lanes, Visit visit) {
  for (int first = lanes.find_first(); first >= 0;) {
    const int end = lanes.find_next_unset(static_cast<unsigned>(first));
    const auto last = end < 0 ? lanes.size() : static_cast<unsigned>(end);
    visit(static_cast<unsigned>(first), last - static_cast<unsigned>(first));
    first = last < lanes.size() ? lanes.find_next(last) : -1;
  }
}

/// The address, type and alignment of a run of lanes in memory.
struct Run {
  Value* pointer;
  Type* type;
  Align alignment;
};

Run run_of(IRBuilder<>& builder, FixedVectorType& vector, Value& pointer, Align alignment, unsigned first,
           unsigned count) {
  Type* element = vector.getElementType();
  const std::uint64_t offset = std::uint64_t{first} * (vector.getScalarSizeInBits() / 8);
  Value* place =
      offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &pointer, offset) : &pointer;
  Type* type = count == 1 ? element : FixedVectorType::get(element, count);
  return {place, type, commonAlignment(alignment, offset)};
}

/// A lane of a value, if possible the scalar that was inserted into the vector.
Value* lane_of(IRBuilder<>& builder, Value& value, unsigned lane) {
  const Lane from = origin_of(value, lane);
  return from.value->getType()->isVectorTy() ? builder.CreateExtractElement(from.value, from.number)
                                             : from.value;
}

void narrow(StoreInst& store, const SmallBitVector& changed) {
  Value& value = *store.getValueOperand();
  IRBuilder<> builder(&store);
  for_runs(changed, [&](unsigned first, unsigned count) {
    const Run run = run_of(builder, *cast<FixedVectorType>(value.getType()), *store.getPointerOperand(),
                           store.getAlign(), first, count);
    Value* part = count == 1 ? lane_of(builder, value, first) : PoisonValue::get(run.type);
    for (unsigned i = 0; count > 1 && i < count; ++i)
      part = builder.CreateInsertElement(part, lane_of(builder, value, first + i), i);
    builder.CreateAlignedStore(part, run.pointer, run.alignment, store.isVolatile());
  });
}

/// Narrows a store of a vector in which one component was replaced at a variable index. @returns whether it did
bool narrow_indexed(StoreInst& store) {
  auto* insertion = dyn_cast<InsertElementInst>(store.getValueOperand());
  auto* old = insertion ? dyn_cast<LoadInst>(insertion->getOperand(0)) : nullptr;
  if (!old || isa<ConstantInt>(insertion->getOperand(2)) ||
      !shared_vector(old->getType(), *store.getPointerOperand()) ||
      old->getPointerOperand() != store.getPointerOperand() || !is_undisturbed(*old, store))
    return false;
  IRBuilder<> builder(&store);
  Value* index = builder.CreateZExtOrTrunc(insertion->getOperand(2), builder.getInt64Ty());
  Value* place =
      builder.CreateGEP(old->getType(), store.getPointerOperand(), {builder.getInt64(0), index}, "component");
  const std::uint64_t bytes = old->getType()->getScalarSizeInBits() / 8;
  builder.CreateAlignedStore(insertion->getOperand(1), place, commonAlignment(store.getAlign(), bytes),
                             store.isVolatile());
  return true;
}

/// Narrows a store to the lanes that it changes. @returns whether it did; the old store must then be erased
bool narrow(StoreInst& store) {
  if (narrow_indexed(store)) return true;
  const auto changed = changed_lanes(store);
  if (changed) narrow(store, *changed);
  return changed.has_value();
}

void erase(StoreInst& store) {
  Value* value = store.getValueOperand();
  store.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(value);
}

/// The lanes of a load that its users need; all lanes if that is unknown.
SmallBitVector used_lanes(const LoadInst& load, unsigned lanes) {
  SmallBitVector used(lanes);
  for (const User* user : load.users()) {
    const auto* extraction = dyn_cast<ExtractElementInst>(user);
    const auto* index = extraction ? dyn_cast<ConstantInt>(extraction->getIndexOperand()) : nullptr;
    const auto* shuffle = dyn_cast<ShuffleVectorInst>(user);
    if (index && index->getZExtValue() < lanes) {
      used.set(static_cast<unsigned>(index->getZExtValue()));
    } else if (shuffle) {
      for (const int lane : shuffle->getShuffleMask())
        for (const unsigned operand : {0U, 1U}) {
          const int own = lane - static_cast<int>(operand * lanes);
          if (lane >= 0 && shuffle->getOperand(operand) == &load && own >= 0 && own < static_cast<int>(lanes))
            used.set(static_cast<unsigned>(own));
        }
    } else {
      return SmallBitVector(lanes, true);
    }
  }
  return used;
}

void narrow(LoadInst& load) {
  auto* type = shared_vector(load.getType(), *load.getPointerOperand());
  if (!type || load.isAtomic()) return;
  const unsigned lanes = type->getNumElements();
  const SmallBitVector used = used_lanes(load, lanes);
  const bool is_of_three = lanes == 4 && used.count() == 3 && !used[3];
  if (used.all() || used.none() || is_of_three) return;
  IRBuilder<> builder(&load);
  Value* whole = PoisonValue::get(type);
  for_runs(used, [&](unsigned first, unsigned count) {
    const Run run = run_of(builder, *type, *load.getPointerOperand(), load.getAlign(), first, count);
    Value* part = builder.CreateAlignedLoad(run.type, run.pointer, run.alignment, load.isVolatile());
    for (unsigned i = 0; i < count; ++i)
      whole = builder.CreateInsertElement(whole, count == 1 ? part : builder.CreateExtractElement(part, i),
                                          first + i);
  });
  load.replaceAllUsesWith(whole);
  load.eraseFromParent();
}

template <class T>
SmallVector<Instruction*, 0> of_type(Module& module) {
  SmallVector<Instruction*, 0> found = instructions_in(module);
  erase_if(found, [](const Instruction* instruction) { return !isa<T>(instruction); });
  return found;
}

} // namespace

PreservedAnalyses own_components_pass(Module& module, ModuleAnalysisManager&) {
  for (Instruction* instruction : of_type<StoreInst>(module))
    if (narrow(cast<StoreInst>(*instruction))) erase(cast<StoreInst>(*instruction));
  for (Instruction* instruction : of_type<LoadInst>(module))
    narrow(cast<LoadInst>(*instruction));
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler

#include "compiler/passes/2_vector/memory/append_stores.hpp"

#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/memory/access.hpp"
#include "compiler/passes/2_vector/memory/affine_tests.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Computes the first active lane's index or address from the first number that the atomic handed out. `holds` collects
/// the conditions under which the following lanes' indices are consecutive.
class FirstLane {
public:
  /// @param handed_out the first number that the atomic gave
  FirstLane(Emission& e, Value* handed_out) : holds(e.build.getTrue()), e_(e), handed_out_(handed_out) {}

  Value* holds;

  Value* number(Value* old) {
    auto& build = e_.build;
    if (e_.shape(old).is_uniform()) return e_.scalar(old);
    if (isa<AtomicRMWInst>(old)) return handed_out_;
    auto* instruction = cast<Instruction>(old);
    Value* left = number(instruction->getOperand(0));
    if (auto* sum = dyn_cast<BinaryOperator>(old))
      return build.CreateBinOp(sum->getOpcode(), left, number(sum->getOperand(1)));
    if (!isa<TruncInst>(old)) holds = build.CreateAnd(holds, stays_in_range(e_, left, 1, isa<SExtInst>(old)));
    return build.CreateCast(cast<CastInst>(old)->getOpcode(), left, old->getType());
  }

  Value* address(GetElementPtrInst& old) {
    SmallVector<Value*, 4> indices;
    for (Value* index : old.indices())
      indices.push_back(number(index));
    return e_.build.CreateGEP(old.getSourceElementType(), e_.scalar(old.getPointerOperand()), indices);
  }

private:
  Emission& e_;
  Value* handed_out_;
};

/// The lanes that are compressed at once: those of one register, with elements of at least 32 bits. LLVM 22 compresses
/// wider vectors through the stack, whose alignment it gets wrong, and fails for narrower elements
/// (tests/passes/6_host/llvm_22/compressed_vectors_fault.ll).
unsigned lanes_at_once(const Emission& e, const Type* type) {
  return std::min(e.width, e.cpu.vector_bits / std::max(type->getScalarSizeInBits(), 32u));
}

Value* compressed(Emission& e, Value* numbers, Value* mask) {
  auto& build = e.build;
  Type* type = numbers->getType();
  const bool narrow = type->getScalarSizeInBits() < 32;
  if (narrow) numbers = build.CreateZExt(numbers, type->getWithNewBitWidth(32));
  Type* wide = numbers->getType();
  numbers = build.CreateIntrinsic(Intrinsic::experimental_vector_compress, {wide},
                                  {numbers, mask, PoisonValue::get(wide)});
  return narrow ? build.CreateTrunc(numbers, type) : numbers;
}

/// Stores the active lanes from `begin` on. @returns the address after their elements
Value* store_part(Emission& e, const StoreInst& store, Value* values, Value* to, unsigned begin) {
  auto& build = e.build;
  Type* type = store.getValueOperand()->getType();
  const unsigned lanes = lanes_at_once(e, type);
  const auto chosen = createSequentialMask(begin, lanes, 0);
  Value* mask = build.CreateShuffleVector(e.mask, chosen);
  values = build.CreateShuffleVector(values, chosen);
  Type* number = build.getIntNTy(type->getScalarSizeInBits());
  values = compressed(e, build.CreateBitCast(values, FixedVectorType::get(number, lanes)), mask);
  Value* bits = build.CreateBitCast(mask, build.getIntNTy(lanes));
  Value* active =
      build.CreateZExtOrTrunc(build.CreateUnaryIntrinsic(Intrinsic::ctpop, bits), build.getInt32Ty());
  Value* numbers = build.CreateStepVector(FixedVectorType::get(build.getInt32Ty(), lanes));
  Value* filled = build.CreateICmpULT(numbers, build.CreateVectorSplat(lanes, active));
  keep_metadata(build.CreateMaskedStore(values, to, store.getAlign(), filled), store);
  return build.CreateGEP(type, to, active);
}

void store_compressed(Emission& e, const StoreInst& store, Value* values, Value* to) {
  const unsigned lanes = lanes_at_once(e, store.getValueOperand()->getType());
  for (unsigned begin = 0; begin < e.width; begin += lanes)
    to = store_part(e, store, values, to, begin);
}

} // namespace

void AppendStores::hand_out(const AtomicRMWInst& atomic, Value* first) {
  places_[&atomic] = {first, e_.mask};
}

/// The atomic from whose result the number is computed by adding uniform values and by casts; null if there is none.
const AtomicRMWInst* AppendStores::origin(const Value* number) const {
  if (e_.shape(number).is_uniform()) return nullptr;
  if (const auto* atomic = dyn_cast<AtomicRMWInst>(number))
    return places_.contains(atomic) ? atomic : nullptr;
  if (isa<ZExtInst, SExtInst, TruncInst>(number)) return origin(cast<CastInst>(number)->getOperand(0));
  const auto* sum = dyn_cast<BinaryOperator>(number);
  if (!sum) return nullptr;
  const Value *left = sum->getOperand(0), *right = sum->getOperand(1);
  if (e_.shape(right).is_uniform() &&
      (sum->getOpcode() == Instruction::Add || sum->getOpcode() == Instruction::Sub))
    return origin(left);
  return e_.shape(left).is_uniform() && sum->getOpcode() == Instruction::Add ? origin(right) : nullptr;
}

bool AppendStores::write(StoreInst& store, function_ref<void()> scattered) {
  Type* type = store.getValueOperand()->getType();
  if (!e_.switches.is_on(Heuristic::append_stores) || !e_.cpu.compresses || e_.width < 4) return false;
  if (!(type->isIntegerTy() || type->isFloatingPointTy())) return false;
  auto* address = dyn_cast<GetElementPtrInst>(store.getPointerOperand());
  if (!address) return false;
  std::uint64_t unit = 0;
  const Value* index =
      e_.shape(address->getPointerOperand()).is_uniform() ? only_index(e_, *address, unit) : nullptr;
  const AtomicRMWInst* atomic =
      index && unit == e_.layout.getTypeAllocSize(type).getFixedValue() ? origin(index) : nullptr;
  if (!note_change(Heuristic::append_stores, atomic)) return false;

  const Places places = places_.lookup(atomic);
  FirstLane lane(e_, places.first);
  Value* first = lane.address(*address);
  if (places.mask != e_.mask)
    lane.holds = e_.build.CreateAnd(lane.holds,
                                    e_.build.CreateICmpEQ(e_.mask_bits(places.mask), e_.mask_bits(e_.mask)));
  Value* values = e_.vector(store.getValueOperand());
  e_.either(lane.holds, {"handed.out", [&] { return store_compressed(e_, store, values, first), nullptr; }},
            {"scattered", [&] { return scattered(), nullptr; }});
  return true;
}

} // namespace hostcl::compiler

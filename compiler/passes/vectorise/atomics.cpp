// Atomic read-modify-write operations. Results are those of some serial order of the work-items.
//
// One address for all lanes: the lanes' operands are combined, and one atomic does for all. If results are
// used, lane i gets what the memory held, combined with the operands of the active lanes before it:
//
//   %old = atomicrmw add ptr %p, i32 %x   =>   %active = select <8 x i1> %mask, <8 x i32> %x, zeroinitializer
//                                              %sum = call i32 @llvm.vector.reduce.add(%active)
//                                              %first = atomicrmw add ptr %p, i32 %sum
//                                              %old = splat(%first) + exclusive prefix sums of %active
//
// Any other address, and operations that do not combine: one atomic for each active lane, in the order of
// lanes. Addresses and operands wait in memory meanwhile, for there is no instruction that takes a numbered
// lane out of a vector. Atomics on local memory, which become plain operations, cost no more than that, so
// for full vectors they are written out:
//
//   br all(%mask), %full, %some
//   full:  %bin0 = getelementptr i32, ptr addrspace(3) %bins, i64 (extractelement %index, 0)
//          atomicrmw add ptr addrspace(3) %bin0, i32 1
//          %bin1 = ...
//   some:  a loop over the active lanes
//
// Volatile atomics are never combined. Tests: tests/passes/vectorise_atomics.ll.

#include "compiler/passes/exchange_loops.hpp"
#include "compiler/passes/vectorise/emission.hpp"
#include "compiler/passes/vectorise/reductions.hpp"

#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// How the operands of an operation combine to one operand, or nothing.
std::optional<Combine> combination_of(const AtomicRMWInst& atomic) {
  switch (atomic.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    return Combine::add;
  case AtomicRMWInst::And:
    return Combine::and_;
  case AtomicRMWInst::Or:
    return Combine::or_;
  case AtomicRMWInst::Xor:
    return Combine::xor_;
  case AtomicRMWInst::Max:
    return Combine::smax;
  case AtomicRMWInst::Min:
    return Combine::smin;
  case AtomicRMWInst::UMax:
    return Combine::umax;
  case AtomicRMWInst::UMin:
    return Combine::umin;
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
    return Combine::fadd;
  case AtomicRMWInst::FMax:
    return Combine::fmax;
  case AtomicRMWInst::FMin:
    return Combine::fmin;
  default:
    return std::nullopt;
  }
}

/// What one lane's operation makes of the value in memory.
Value* apply(Emission& e, const AtomicRMWInst& atomic, Combine combine, Value* memory, Value* operand) {
  if (atomic.getOperation() == AtomicRMWInst::Sub) return e.build.CreateSub(memory, operand);
  return combine_values(e, combine, memory, operand);
}

/// Operands of the active lanes; others repeat one of them or have the identity. Infinity is no identity of
/// fmin and fmax where memory and operands are NaN.
Value* active_operands(Emission& e, Combine combine, Value* operand) {
  Value* values = e.vector(operand);
  if (combine != Combine::fmin && combine != Combine::fmax) return only_active(e, combine, values);
  Value* other =
      e.build.CreateVectorSplat(e.width, e.extract_lane(values, e.last_active(), operand->getType()));
  return e.build.CreateSelect(e.mask, values, other);
}

constexpr unsigned local_space = 3;

/// The value of lane number `lane`. What leads to an address is computed again for the lane, so that the
/// narrow index is taken out of a vector and not the pointer.
Value* value_in_lane(Emission& e, Value* old, unsigned lane) {
  Shape shape = e.shape(old);
  if (shape.is_uniform()) return e.scalar(old);
  if (auto* address = dyn_cast<GetElementPtrInst>(old); address && shape.is_varying()) {
    SmallVector<Value*, 4> indices;
    for (Value* index : address->indices())
      indices.push_back(value_in_lane(e, index, lane));
    Value* base = value_in_lane(e, address->getPointerOperand(), lane);
    return e.build.CreateGEP(address->getSourceElementType(), base, indices);
  }
  if (auto* cast = dyn_cast<CastInst>(old); cast && shape.is_varying())
    return e.build.CreateCast(cast->getOpcode(), value_in_lane(e, cast->getOperand(0), lane),
                              cast->getType());
  return e.extract_lane(e.vector(old), e.build.getInt32(lane), old->getType());
}

/// Lanes' values in memory, to be reached by number.
class LaneArray {
public:
  LaneArray(Emission& e, Type* type) : e_(e), type_(type) {
    BasicBlock& entry = e.target.getEntryBlock();
    memory_ = new AllocaInst(e.wide(type), e.layout.getAllocaAddrSpace(), "lanes", entry.begin());
  }
  void set_all(Value* values) { e_.build.CreateStore(values, memory_); }
  Value* all() { return e_.build.CreateLoad(memory_->getAllocatedType(), memory_); }
  void set(Value* lane, Value* value) { e_.build.CreateStore(value, place(lane)); }
  Value* get(Value* lane) { return e_.build.CreateLoad(type_, place(lane)); }

private:
  Value* place(Value* lane) { return e_.build.CreateInBoundsGEP(type_, memory_, lane); }

  Emission& e_;
  Type* type_;
  AllocaInst* memory_;
};

/// One lane's atomic.
Value* emit_for_lane(Emission& e, const AtomicRMWInst& atomic, Value* address, Value* operand) {
  Instruction* copy = atomic.clone();
  copy->setOperand(0, address);
  copy->setOperand(1, operand);
  return e.build.Insert(copy);
}

/// A loop over the active lanes. @returns the vector of results, if they are used
Value* emit_loop(Emission& e, AtomicRMWInst& atomic) {
  std::optional<LaneArray> arrays[2], results;
  for (unsigned i = 0; i < 2; ++i) {
    Value* operand = atomic.getOperand(i);
    if (e.shape(operand).is_uniform()) continue;
    arrays[i].emplace(e, operand->getType()).set_all(e.vector(operand));
  }
  if (!atomic.use_empty()) results.emplace(e, atomic.getType());
  emit_for_each_lane(e, e.mask, [&](Value* lane) {
    Value* operands[2];
    for (unsigned i = 0; i < 2; ++i)
      operands[i] = arrays[i] ? arrays[i]->get(lane) : e.scalar(atomic.getOperand(i));
    Value* result = emit_for_lane(e, atomic, operands[0], operands[1]);
    if (results) results->set(lane, result);
  });
  return results ? results->all() : PoisonValue::get(e.wide(atomic.getType()));
}

/// All lanes written out.
Value* emit_full(Emission& e, AtomicRMWInst& atomic) {
  Value* results = PoisonValue::get(e.wide(atomic.getType()));
  for (unsigned lane = 0; lane < e.width; ++lane) {
    Value* address = value_in_lane(e, atomic.getPointerOperand(), lane);
    Value* result = emit_for_lane(e, atomic, address, value_in_lane(e, atomic.getValOperand(), lane));
    if (!atomic.use_empty()) results = e.build.CreateInsertElement(results, result, lane);
  }
  return results;
}

void emit_one_by_one(Emission& e, AtomicRMWInst& atomic) {
  if (atomic.getPointerAddressSpace() != local_space || atomic.isVolatile()) {
    e.set(&atomic, emit_loop(e, atomic));
    return;
  }
  e.vector(atomic.getPointerOperand()); // not in one of the branches only
  e.vector(atomic.getValOperand());
  Value* bits = e.mask_bits(e.mask);
  Value* is_full = e.build.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()));
  BasicBlock *full = e.new_block("full"), *some = e.new_block("some"), *done = e.new_block("some.done");
  e.build.CreateCondBr(is_full, full, some);
  e.build.SetInsertPoint(full);
  Value* of_full = emit_full(e, atomic);
  e.build.CreateBr(done);
  e.build.SetInsertPoint(some);
  Value* of_some = emit_loop(e, atomic);
  some = e.build.GetInsertBlock();
  e.build.CreateBr(done);
  e.build.SetInsertPoint(done);
  PHINode* results = e.build.CreatePHI(of_full->getType(), 2);
  results->addIncoming(of_full, full);
  results->addIncoming(of_some, some);
  e.set(&atomic, results);
}

} // namespace

void emit_atomic(Emission& e, AtomicRMWInst& atomic) {
  auto combine = combination_of(atomic);
  const bool used = !atomic.use_empty(), floating = atomic.getType()->isFPOrFPVectorTy();
  // Rounding of a sum depends on the order, so lanes that see intermediate sums get those of a serial order.
  if (!combine || atomic.isVolatile() || !e.shape(atomic.getPointerOperand()).is_uniform() ||
      (used && floating) || is_serial(atomic) || atomic.getType()->isVectorTy())
    return atomic.getType()->isVectorTy() ? emit_lane_by_lane(e, atomic) : emit_one_by_one(e, atomic);
  Value* operands = active_operands(e, *combine, atomic.getValOperand());
  auto* now = cast<AtomicRMWInst>(atomic.clone());
  now->setOperand(0, e.scalar(atomic.getPointerOperand()));
  now->setOperand(1, reduce_lanes(e, *combine, operands));
  e.build.Insert(now, atomic.getName());
  if (!used) {
    e.set(&atomic, PoisonValue::get(e.wide(atomic.getType())));
    return;
  }
  Value* memory = e.build.CreateVectorSplat(e.width, now);
  e.set(&atomic, apply(e, atomic, *combine, memory, scan_lanes(e, *combine, operands, false)));
}

} // namespace hostcl::compiler

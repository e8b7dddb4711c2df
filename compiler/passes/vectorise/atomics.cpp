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
// lanes. Volatile atomics are never combined. Tests: tests/passes/vectorise_atomics.ll.

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

} // namespace

void emit_atomic(Emission& e, AtomicRMWInst& atomic) {
  auto combine = combination_of(atomic);
  const bool used = !atomic.use_empty(), floating = atomic.getType()->isFPOrFPVectorTy();
  // Rounding of a sum depends on the order, so lanes that see intermediate sums get those of a serial order.
  if (!combine || atomic.isVolatile() || !e.shape(atomic.getPointerOperand()).is_uniform() ||
      (used && floating) || atomic.getType()->isVectorTy())
    return emit_lane_by_lane(e, atomic);
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

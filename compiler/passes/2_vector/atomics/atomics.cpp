// Atomic read-modify-write operations of all lanes. The results are those of some serial order of the work-items.
//
// 1. The address is uniform: the lanes' operands are combined, and one host atomic serves all lanes. If results are
//    used, lane i gets the old value in memory, combined with the operands of the active lanes before it:
//
//   %old = atomicrmw add ptr %p, i32 %x   =>   %active = select <8 x i1> %mask, <8 x i32> %x, zeroinitializer
//                                              %sum = call i32 @llvm.vector.reduce.add(%active)
//                                              %first = atomicrmw add ptr %p, i32 %sum
//                                              %old = splat(%first) + exclusive prefix sums of %active
//
//    For an exchange, the last active lane's operand goes to memory, and each lane gets the operand of the active lane
//    before it.
//
// 2. The address is computed from ids, so that it may be uniform: a test at run time chooses between cases 1 and 3.
//
// 3. Any other address, and operations whose operands cannot be combined: one atomic for each active lane, in the order
//    of lanes. Addresses and operands are stored to the stack before the loop: an `extractelement` with a variable
//    index becomes a store of the whole vector and a load, and would do this in every iteration. Atomics on local
//    memory become ordinary instructions later and are as cheap as these stores, so for full vectors they are written
//    without a loop:
//
//   br all(%mask), %full, %some
//   full:  %bin0 = getelementptr i32, ptr addrspace(3) %bins, i64 (extractelement %index, 0)
//          atomicrmw add ptr addrspace(3) %bin0, i32 1
//          %bin1 = ...
//   some:  a loop over the active lanes
//
// Volatile atomics are never combined. Tests: tests/passes/2_vector/atomics/vectorise_atomics.ll.

#include "compiler/passes/2_vector/atomics/atomics.hpp"

#include "compiler/ir/atomic_update.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/passes/2_vector/atomics/reductions.hpp"
#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/lane_array.hpp"
#include "compiler/passes/2_vector/memory/address_numbers.hpp"
#include "compiler/passes/2_vector/memory/append_stores.hpp"
#include "compiler/passes/2_vector/scalar_copies.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// One lane of an extended vector of narrow integers. A 64-bit word with several lanes is extracted from the narrow
/// vector, and each lane is shifted out of the word. If each lane were extracted from the extended vector, the atomics,
/// whose addresses are computed from the lanes, would wait for all earlier stores on Zen 4.
Value* extended_lane(Emission& e, CastInst& extension, unsigned lane) {
  auto& build = e.build;
  constexpr unsigned word_bits = 64;
  const unsigned bits = extension.getSrcTy()->getScalarSizeInBits();
  const unsigned at = lane * bits % word_bits;
  Value* numbers = e.vector(extension.getOperand(0));
  Value* words = build.CreateBitCast(
      numbers, FixedVectorType::get(build.getInt64Ty(), std::size_t{e.width} * bits / word_bits));
  Value* word = build.CreateExtractElement(words, std::uint64_t{lane} * bits / word_bits);
  if (isa<SExtInst>(extension))
    return build.CreateAShr(build.CreateShl(word, word_bits - bits - at), word_bits - bits);
  return build.CreateAnd(build.CreateLShr(word, at), APInt::getLowBitsSet(word_bits, bits));
}

bool extends_part_of_word(const Emission& e, const CastInst& cast) {
  const unsigned bits = cast.getSrcTy()->getScalarSizeInBits();
  return isa<ZExtInst, SExtInst>(cast) && cast.getDestTy()->isIntegerTy(64) &&
         (bits == 8 || bits == 16 || bits == 32) && e.width * bits % 64 == 0;
}

/// The value of lane number `lane`. An address is computed again for the lane, so that the narrow index is extracted
/// from a vector instead of the pointer.
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
  if (auto* cast = dyn_cast<CastInst>(old); cast && shape.is_varying() && extends_part_of_word(e, *cast))
    return extended_lane(e, *cast, lane);
  if (auto* cast = dyn_cast<CastInst>(old); cast && shape.is_varying())
    return e.build.CreateCast(cast->getOpcode(), value_in_lane(e, cast->getOperand(0), lane),
                              cast->getType());
  return e.extract_lane(e.vector(old), e.build.getInt32(lane), old->getType());
}

/// Emits one lane's atomic.
Value* emit_for_lane(Emission& e, const AtomicRMWInst& atomic, Value* address, Value* operand) {
  Instruction* copy = atomic.clone();
  copy->setOperand(0, address);
  copy->setOperand(1, operand);
  return e.build.Insert(copy);
}

/// Emits a loop over the active lanes. @returns the vector of results, if they are used
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

/// Emits an atomic for each lane of a full vector, without a loop.
Value* emit_full(Emission& e, AtomicRMWInst& atomic) {
  Value* results = PoisonValue::get(e.wide(atomic.getType()));
  for (unsigned lane = 0; lane < e.width; ++lane) {
    Value* address = value_in_lane(e, atomic.getPointerOperand(), lane);
    Value* result = emit_for_lane(e, atomic, address, value_in_lane(e, atomic.getValOperand(), lane));
    if (!atomic.use_empty()) results = e.build.CreateInsertElement(results, result, lane);
  }
  return results;
}

Value* emit_one_by_one(Emission& e, AtomicRMWInst& atomic) {
  if (!e.switches.is_on(Heuristic::written_out_atomics) || atomic.getPointerAddressSpace() != local_space ||
      atomic.isVolatile())
    return emit_loop(e, atomic);
  note_change(Heuristic::written_out_atomics);
  e.vector(atomic.getPointerOperand()); // writes the vector before the branch: both sides need it
  e.vector(atomic.getValOperand());
  return e.either(e.all(e.mask), {"full", [&] { return emit_full(e, atomic); }},
                  {"some", [&] { return emit_loop(e, atomic); }});
}

/// For each lane, the value of the nearest active lane before it; `first` if there is none. Takes log2(width) steps.
Value* of_lane_before(Emission& e, Value* values, Value* first) {
  auto& build = e.build;
  Value* bits = e.mask_bits(e.mask);
  Type* type = bits->getType();
  auto shifted = [&](unsigned distance) { return build.CreateShl(bits, ConstantInt::get(type, distance)); };
  Value* found = moved_up(e, values, build.CreateVectorSplat(e.width, first), 1);
  bits = build.CreateOr(shifted(1), ConstantInt::get(type, 1));
  for (unsigned distance = 1; distance < e.width; distance *= 2) {
    Value* further = moved_up(e, found, PoisonValue::get(found->getType()), distance);
    found = build.CreateSelect(build.CreateBitCast(bits, e.mask->getType()), found, further);
    bits = build.CreateOr(bits, shifted(distance));
  }
  return found;
}

/// Emits an exchange: each lane gets the operand of the active lane before it, the first active lane the old value in
/// memory. Memory gets the last active lane's operand.
Value* emit_swap(Emission& e, AtomicRMWInst& atomic, Value* address) {
  note_change(Heuristic::vector_atomics);
  Value* values = e.vector(atomic.getValOperand());
  Value* last = e.extract_lane(values, e.last_active(), atomic.getType());
  Value* first = emit_for_lane(e, atomic, address, last);
  return atomic.use_empty() ? PoisonValue::get(values->getType()) : of_lane_before(e, values, first);
}

/// The operand of the single host atomic that stands for the operations of all active lanes. For a uniform addend it is
/// a product with the number of active lanes.
Value* combined_operands(Emission& e, AtomicRMWInst& atomic, RecurKind combine) {
  auto& build = e.build;
  Value* operand = atomic.getValOperand();
  if (combine != RecurKind::Add || !e.shape(operand).is_uniform())
    return reduce_lanes(e, combine, only_active(e, combine, e.vector(operand)));
  Value* active =
      build.CreateUnaryIntrinsic(Intrinsic::ctpop, build.CreateZExt(e.mask_bits(e.mask), build.getInt64Ty()));
  return build.CreateMul(build.CreateZExtOrTrunc(active, atomic.getType()), e.scalar(operand));
}

/// Emits one host atomic for all lanes, whose address is the same.
/// @param appends is told of a counter (`atomicrmw add ..., 1`), which gives consecutive numbers to the active lanes;
/// may be null
Value* emit_together(Emission& e, AtomicRMWInst& atomic, Value* address, AppendStores* appends) {
  if (atomic.getOperation() == AtomicRMWInst::Xchg) return emit_swap(e, atomic, address);
  note_change(Heuristic::vector_atomics);
  const RecurKind combine = combination_of(atomic.getOperation()).value_or(RecurKind::None);
  Value* first = emit_for_lane(e, atomic, address, combined_operands(e, atomic, combine));
  const auto* step = dyn_cast<ConstantInt>(atomic.getValOperand());
  if (appends && atomic.getOperation() == AtomicRMWInst::Add && step && step->isOne())
    appends->hand_out(atomic, first);
  if (atomic.use_empty()) return PoisonValue::get(e.wide(atomic.getType()));
  Value* memory = e.build.CreateVectorSplat(e.width, first);
  Value* before = scan_lanes(e, combine, only_active(e, combine, e.vector(atomic.getValOperand())), false);
  if (atomic.getOperation() == AtomicRMWInst::Sub) return e.build.CreateSub(memory, before);
  return combine_values(e, combine, memory, before);
}

/// Emits an atomic whose address may be uniform, as in `&bits[id / 32]`, with a test at run time.
Value* emit_asking(Emission& e, AtomicRMWInst& atomic) {
  note_change(Heuristic::uniform_atomics);
  Value* addresses = e.vector(atomic.getPointerOperand());
  e.vector(atomic.getValOperand()); // writes the vector before the branch: both sides need it
  Value* lane = e.first_active();
  Value* first = e.extract_lane(addresses, lane, atomic.getPointerOperand()->getType());
  Value* numbers = opaque_addresses(e, addresses);
  Value* others = e.build.CreateICmpNE(
      numbers, e.build.CreateVectorSplat(e.width, e.build.CreateExtractElement(numbers, lane)));
  Value* uniform = e.build.CreateNot(e.any(e.where(e.mask, others)));
  return e.either(uniform, {"uniform", [&] { return emit_together(e, atomic, first, nullptr); }},
                  {"divergent", [&] { return emit_one_by_one(e, atomic); }});
}

} // namespace

void emit_atomic(Emission& e, AtomicRMWInst& atomic, AppendStores& appends) {
  const Recipe& recipe = e.plan.of(atomic);
  if (recipe.form != Form::reduce)
    e.set(&atomic, emit_one_by_one(e, atomic));
  else if (recipe.confidence == Confidence::guess)
    e.set(&atomic, emit_asking(e, atomic));
  else
    e.set(&atomic, emit_together(e, atomic, e.scalar(atomic.getPointerOperand()), &appends));
}

} // namespace hostcl::compiler

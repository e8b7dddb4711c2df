// Sub-group operations for values/instructions.hpp. The work-items of a sub-group are the lanes of one vector, so an
// operation becomes vector instructions. Reductions, scans and votes use the active lanes only; shuffles and broadcasts
// read any lane:
//
//   %s = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %x)
//     =>   %s = vector.reduce.add(select(%mask, %x, 0))
//   %v = call float @__hostcl_sub_group_shuffle_f32(float %y, i32 %lane ^ 1)
//     =>   %v = shufflevector %y, <1, 0, 3, 2, ...>
//
// Lane numbers out of range, for which OpenCL leaves the result undefined, are taken modulo the width.
// Tests: tests/passes/2_vector/vectorise_sub_groups.ll.

#include "compiler/passes/2_vector/values/instructions.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/2_vector/atomics/reductions.hpp"
#include "compiler/passes/2_vector/emission.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The lane number modulo the width.
Value* lane_in_range(Emission& e, Value* lane) {
  return e.build.CreateAnd(lane, ConstantInt::get(lane->getType(), e.width - 1));
}

Value* shuffle(Emission& e, Value* value, Value* lanes) {
  Value* values = e.vector(value);
  if (e.shape(lanes).is_uniform())
    return e.build.CreateVectorSplat(e.width,
                                     e.build.CreateExtractElement(values, lane_in_range(e, e.scalar(lanes))));
  Value* from = lane_in_range(e, e.vector(lanes));
  if (auto* constant = dyn_cast<Constant>(from)) {
    SmallVector<int, 64> indices;
    for (unsigned lane = 0; lane < e.width; ++lane) {
      const auto* index = dyn_cast_or_null<ConstantInt>(constant->getAggregateElement(lane));
      indices.push_back(index ? static_cast<int>(index->getZExtValue()) : PoisonMaskElem);
    }
    return e.build.CreateShuffleVector(values, indices);
  }
  // LLVM's code generator recognises this form as a permutation by an index vector.
  Value* result = PoisonValue::get(values->getType());
  for (unsigned lane = 0; lane < e.width; ++lane) {
    Value* element = e.build.CreateExtractElement(values, e.build.CreateExtractElement(from, lane));
    result = e.build.CreateInsertElement(result, element, lane);
  }
  return result;
}

Value* broadcast(Emission& e, Value* value, Value* lane) {
  lane = e.shape(lane).is_uniform() ? e.scalar(lane)
                                    : e.build.CreateExtractElement(e.vector(lane), e.first_active());
  return e.build.CreateExtractElement(e.vector(value), lane_in_range(e, lane));
}

Value* ballot(Emission& e, Value* predicate) {
  Value* bits = e.mask_bits(e.where(e.mask, e.vector(predicate)));
  return e.build.CreateBitCast(e.build.CreateZExt(bits, e.build.getIntNTy(128)),
                               FixedVectorType::get(e.build.getInt32Ty(), 4));
}

Value* emit_operation(Emission& e, CallInst& call, const SubGroupOperation& operation) {
  Value* value = call.getArgOperand(0);
  auto active = [&] { return only_active(e, operation.combine, e.vector(value)); };
  switch (operation.kind) {
  case SubGroupOperation::any:
    return e.any(e.where(e.mask, e.vector(value)));
  case SubGroupOperation::all:
    return e.build.CreateNot(e.any(e.where(e.mask, e.build.CreateNot(e.vector(value)))));
  case SubGroupOperation::ballot:
    return ballot(e, value);
  case SubGroupOperation::shuffle:
    return shuffle(e, value, call.getArgOperand(1));
  case SubGroupOperation::first:
    if (e.shape(value).is_uniform()) return e.scalar(value);
    return e.extract_lane(e.vector(value), e.first_active(), value->getType());
  case SubGroupOperation::broadcast:
    return broadcast(e, value, call.getArgOperand(1));
  case SubGroupOperation::reduce:
    return reduce_lanes(e, operation.combine, active());
  case SubGroupOperation::scan_inclusive:
    return scan_lanes(e, operation.combine, active(), true);
  case SubGroupOperation::scan_exclusive:
    return scan_lanes(e, operation.combine, active(), false);
  }
  return nullptr;
}

} // namespace

void emit_sub_group(Emission& e, CallInst& call) {
  if (is_call_of(call, Intrinsic::sub_group_lane)) return e.set(&call, e.build.getInt32(0));
  if (is_call_of(call, Intrinsic::sub_group_width)) return e.set(&call, e.build.getInt32(e.width));
  e.set(&call, emit_operation(e, call, called_operation(call)));
}

} // namespace hostcl::compiler

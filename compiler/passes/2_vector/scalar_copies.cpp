// Instructions without a vector form are executed by a loop over the active lanes:
//
//   %bits = bitcast <8 x i1> %mask to i8
//   loop:
//     %left = phi i8 [%bits, ...], [%rest, %loop]
//     %lane = cttz(%left)
//     %a = extractelement <8 x i32> %x, %lane
//     %r = call i32 @opaque(i32 %a)
//     %result = insertelement <8 x i32> %so_far, %r, %lane
//     %rest = and %left, %left - 1
//     br %rest != 0, %loop, %done
//
// Lanes run in ascending order, which is the order of their work-items. At least one lane must be active.
// Tests: tests/passes/2_vector/vectorise_calls.ll.

#include "compiler/passes/2_vector/scalar_copies.hpp"

#include "compiler/passes/2_vector/emission.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Operator.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Drops flags, metadata and ranges of an instruction: they hold for active lanes only.
void drop_assumptions(Instruction& instruction) {
  instruction.dropPoisonGeneratingAnnotations();
  if (auto* call = dyn_cast<CallBase>(&instruction))
    for (unsigned i = 0; i < call->arg_size(); ++i)
      call->removeParamAttr(i, Attribute::Range);
}

} // namespace

void emit_scalar(Emission& e, Instruction& instruction) {
  Instruction* copy = instruction.clone();
  for (Use& operand : copy->operands())
    operand = e.scalar(operand);
  // The scalar of an affine value is the first lane's, which may be inactive. Flags that hold for active lanes only
  // would make the scalar poison.
  bool first_lane = e.shape(&instruction).is_affine();
  for (Value* operand : instruction.operands())
    first_lane |= e.shape(operand).is_affine();
  if (first_lane) drop_assumptions(*copy);
  if (auto* sum = dyn_cast<PossiblyDisjointInst>(copy); sum && e.shape(&instruction).is_affine()) {
    e.set(&instruction, e.build.CreateAdd(sum->getOperand(0), sum->getOperand(1)));
    copy->deleteValue();
    return;
  }
  e.build.Insert(copy, instruction.getName());
  if (!copy->getType()->isVoidTy()) e.set(&instruction, copy);
}

void emit_for_each_lane(Emission& e, Value* mask, function_ref<void(Value* lane)> body) {
  auto& build = e.build;
  Type* bits = build.getIntNTy(std::max(e.width, 32u));
  Value* start = build.CreateZExt(e.mask_bits(mask), bits);
  BasicBlock* before = build.GetInsertBlock();
  BasicBlock* loop = e.new_block("lane");
  BasicBlock* done = e.new_block("lanes.done");
  build.CreateBr(loop);
  build.SetInsertPoint(loop);
  PHINode* left = build.CreatePHI(bits, 2);
  left->addIncoming(start, before);
  Value* lane = build.CreateIntrinsic(Intrinsic::cttz, {bits}, {left, build.getTrue()});
  body(build.CreateZExtOrTrunc(lane, build.getInt32Ty()));
  Value* rest = build.CreateAnd(left, build.CreateSub(left, ConstantInt::get(bits, 1)));
  left->addIncoming(rest, build.GetInsertBlock());
  build.CreateCondBr(build.CreateICmpNE(rest, Constant::getNullValue(bits)), loop, done);
  build.SetInsertPoint(done);
}

namespace {

/// Whether a lane's value can be computed from the scalar. For affine pointers that is cheaper than extracting the
/// pointer from a vector; affine integers are taken from their vector.
bool follows_from_scalar(const Emission& e, const Value& value) {
  const Shape shape = e.shape(&value);
  return shape.is_uniform() || (shape.is_affine() && !shape.is_checked() && value.getType()->isPointerTy());
}

/// One lane's value of the operand `old`; `now` is the operand's new value, a scalar or a vector.
Value* part_of(Emission& e, const Value& old, Value* now, Value* lane) {
  const Shape shape = e.shape(&old);
  if (shape.is_uniform()) return now;
  if (!follows_from_scalar(e, old)) return e.extract_lane(now, lane, old.getType());
  Value* number = e.build.CreateZExt(lane, e.build.getInt64Ty());
  Value* distance = e.build.CreateMul(number, e.build.getInt64(static_cast<std::uint64_t>(shape.stride())));
  return e.build.CreateGEP(e.build.getInt8Ty(), now, distance);
}

/// Whether the access is also written without a loop, for the case that all lanes are active. At affine addresses that
/// is the usual case.
bool is_written_out(const Emission& e, const Instruction& instruction) {
  constexpr unsigned most_lanes = 16;
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  return pointer && e.shape(pointer).is_affine() && follows_from_scalar(e, *pointer) && e.width <= most_lanes;
}

} // namespace

void emit_lane_by_lane(Emission& e, Instruction& instruction) {
  SmallVector<Value*, 8> operands;
  for (Value* operand : instruction.operands())
    operands.push_back(follows_from_scalar(e, *operand) ? e.scalar(operand) : e.vector(operand));
  Type* type = instruction.getType();
  AllocaInst* results = nullptr;
  if (!type->isVoidTy() && !instruction.use_empty()) {
    results = e.slot(e.wide(type), instruction.getName());
    e.build.CreateStore(PoisonValue::get(results->getAllocatedType()), results);
  }
  const auto write_lane = [&](Value* lane) {
    Instruction* copy = instruction.clone();
    for (auto [use, old, now] : zip(copy->operands(), instruction.operands(), operands))
      use.set(part_of(e, *old, now, lane));
    e.build.Insert(copy);
    if (!results) return;
    Value* so_far = e.build.CreateLoad(results->getAllocatedType(), results);
    e.build.CreateStore(e.insert_lane(so_far, copy, lane, type), results);
  };
  const auto write_all = [&] {
    for (unsigned lane = 0; lane < e.width; ++lane)
      write_lane(e.build.getInt32(lane));
    return nullptr;
  };
  const auto write_loop = [&] { return emit_for_each_lane(e, e.mask, write_lane), nullptr; };
  if (is_written_out(e, instruction))
    e.either(e.all(e.mask), {"every", write_all}, {"some", write_loop});
  else
    write_loop();
  if (results) e.set(&instruction, e.build.CreateLoad(results->getAllocatedType(), results));
}

} // namespace hostcl::compiler

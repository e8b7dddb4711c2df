#include "compiler/passes/2_vector/lane_builder.hpp"

#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

LaneBuilder::LaneBuilder(Function& target, unsigned width)
    : width(width), target(target), layout(target.getDataLayout()), build(target.getContext()) {}

// ---- Types

unsigned LaneBuilder::elements(Type* type) {
  auto* vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

Type* LaneBuilder::wide(Type* type) const {
  if (auto* record = dyn_cast<StructType>(type)) {
    SmallVector<Type*, 4> fields;
    for (Type* field : record->elements())
      fields.push_back(wide(field));
    return StructType::get(type->getContext(), fields);
  }
  return FixedVectorType::get(type->getScalarType(), elements(type) * width);
}

// ---- One value for all lanes

Value* LaneBuilder::splat_constant(Constant* constant) {
  Type* type = constant->getType();
  if (isa<PoisonValue>(constant)) return PoisonValue::get(wide(type));
  if (isa<UndefValue>(constant)) return UndefValue::get(wide(type));
  if (isa<ConstantAggregateZero>(constant)) return Constant::getNullValue(wide(type));
  if (auto* record = dyn_cast<StructType>(type)) {
    SmallVector<Constant*, 4> fields;
    for (unsigned i : seq(record->getNumElements()))
      fields.push_back(cast<Constant>(splat_constant(constant->getAggregateElement(i))));
    return ConstantStruct::get(cast<StructType>(wide(type)), fields);
  }
  if (!type->isVectorTy()) return ConstantVector::getSplat(ElementCount::getFixed(width), constant);
  SmallVector<Constant*, 64> parts;
  for (unsigned lane = 0; lane < width; ++lane)
    for (unsigned i : seq(elements(type)))
      parts.push_back(constant->getAggregateElement(i));
  return ConstantVector::get(parts);
}

Value* LaneBuilder::spread(Value* one, Shape shape) {
  if (shape.is_affine()) return ramp(one, shape.stride());
  Type* type = one->getType();
  if (auto* record = dyn_cast<StructType>(type)) {
    Value* result = PoisonValue::get(wide(type));
    for (unsigned i : seq(record->getNumElements()))
      result =
          build.CreateInsertValue(result, spread(build.CreateExtractValue(one, i), Shape::make_uniform()), i);
    return result;
  }
  if (!type->isVectorTy()) return build.CreateVectorSplat(width, one);
  SmallVector<int, 64> indices;
  for (unsigned i : seq(elements(type) * width))
    indices.push_back(static_cast<int>(i % elements(type)));
  return build.CreateShuffleVector(one, indices);
}

Value* LaneBuilder::ramp(Value* base, std::int64_t stride) {
  Type* type = base->getType();
  Type* number = type->isPointerTy() ? build.getInt64Ty() : type;
  SmallVector<Constant*, 64> steps;
  for (unsigned lane = 0; lane < width; ++lane)
    steps.push_back(ConstantInt::get(number, static_cast<std::uint64_t>(stride) * lane, true, true));
  Value* offsets = ConstantVector::get(steps);
  if (type->isPointerTy()) return build.CreateGEP(build.getInt8Ty(), base, offsets);
  return build.CreateAdd(build.CreateVectorSplat(width, base), offsets);
}

// ---- Masks

Value* LaneBuilder::mask_for(Type* type, Value* mask) {
  const unsigned count = elements(type);
  return count == 1 ? mask : build.CreateShuffleVector(mask, createReplicatedMask(count, width));
}

Value* LaneBuilder::blend(Value* mask, Value* yes, Value* no, Type* old_type) {
  auto* record = dyn_cast<StructType>(old_type);
  if (!record) return build.CreateSelect(mask_for(old_type, mask), yes, no);
  Value* result = PoisonValue::get(yes->getType());
  for (unsigned i : seq(record->getNumElements())) {
    Value* field = blend(mask, build.CreateExtractValue(yes, i), build.CreateExtractValue(no, i),
                         record->getElementType(i));
    result = build.CreateInsertValue(result, field, i);
  }
  return result;
}

Value* LaneBuilder::mask_bits(Value* mask) {
  return build.CreateBitCast(mask, build.getIntNTy(width));
}

Value* LaneBuilder::any(Value* mask) {
  return build.CreateICmpNE(mask_bits(mask), Constant::getNullValue(build.getIntNTy(width)));
}

Value* LaneBuilder::all(Value* mask) {
  Value* bits = mask_bits(mask);
  return build.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()));
}

// ---- Single lanes

Value* LaneBuilder::extract_lane(Value* vector, Value* lane, Type* old_type) {
  if (auto* record = dyn_cast<StructType>(old_type)) {
    Value* result = PoisonValue::get(old_type);
    for (unsigned i : seq(record->getNumElements()))
      result = build.CreateInsertValue(
          result, extract_lane(build.CreateExtractValue(vector, i), lane, record->getElementType(i)), i);
    return result;
  }
  const unsigned count = elements(old_type);
  if (!old_type->isVectorTy()) return build.CreateExtractElement(vector, lane);
  Value* result = PoisonValue::get(old_type);
  Value* first = build.CreateMul(lane, build.getInt32(count));
  for (unsigned i = 0; i < count; ++i)
    result = build.CreateInsertElement(
        result, build.CreateExtractElement(vector, build.CreateAdd(first, build.getInt32(i))), i);
  return result;
}

Value* LaneBuilder::insert_lane(Value* vector, Value* part, Value* lane, Type* old_type) {
  if (auto* record = dyn_cast<StructType>(old_type)) {
    for (unsigned i : seq(record->getNumElements())) {
      Value* field = insert_lane(build.CreateExtractValue(vector, i), build.CreateExtractValue(part, i), lane,
                                 record->getElementType(i));
      vector = build.CreateInsertValue(vector, field, i);
    }
    return vector;
  }
  const unsigned count = elements(old_type);
  if (old_type->isIntegerTy(1)) {
    // A select stands for the insertion: LLVM 22 fails to select code for insertelement into <64 x i1> if the target
    // prefers vectors of 256 bits (tests/passes/6_host/llvm_22/inserted_bits_fault.ll).
    Value* here =
        build.CreateICmpEQ(ramp(build.getInt8(0), 1),
                           build.CreateVectorSplat(width, build.CreateTrunc(lane, build.getInt8Ty())));
    return build.CreateSelect(here, build.CreateVectorSplat(width, part), vector);
  }
  if (!old_type->isVectorTy()) return build.CreateInsertElement(vector, part, lane);
  Value* first = build.CreateMul(lane, build.getInt32(count));
  for (unsigned i = 0; i < count; ++i)
    vector = build.CreateInsertElement(vector, build.CreateExtractElement(part, i),
                                       build.CreateAdd(first, build.getInt32(i)));
  return vector;
}

// ---- Places

BasicBlock* LaneBuilder::new_block(const Twine& name) {
  return BasicBlock::Create(target.getContext(), name, &target);
}

Value* LaneBuilder::either(Value* condition, Way yes, Way no) {
  BasicBlock *first = new_block(yes.name), *second = new_block(no.name), *join = new_block("joined");
  build.CreateCondBr(condition, first, second);
  auto write = [&](BasicBlock*& block, Way way) {
    build.SetInsertPoint(block);
    Value* result = way.write();
    block = build.GetInsertBlock();
    build.CreateBr(join);
    return result;
  };
  Value *of_first = write(first, yes), *of_second = write(second, no);
  build.SetInsertPoint(join);
  if (!of_first) return nullptr;
  PHINode* result = build.CreatePHI(of_first->getType(), 2);
  result->addIncoming(of_first, first);
  result->addIncoming(of_second, second);
  return result;
}

void LaneBuilder::place_after(Value* value) {
  if (auto* definition = dyn_cast<Instruction>(value)) {
    BasicBlock* block = definition->getParent();
    build.SetInsertPoint(block,
                         isa<PHINode>(definition) ? block->getFirstNonPHIIt() : ++definition->getIterator());
  } else {
    build.SetInsertPoint(target.getEntryBlock().getTerminator());
  }
}

} // namespace hostcl::compiler

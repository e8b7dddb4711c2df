#include "compiler/passes/vectorise/emission.hpp"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <utility>

namespace hostcl::compiler {

using namespace llvm;

Emission::Emission(Function& source, Function& target, const Shapes& shapes, unsigned width,
                   const Capabilities& cpu)
    : width(width),
      cpu(cpu),
      layout(source.getDataLayout()),
      build(source.getContext()),
      likely(shapes, width),
      source(source),
      target(target),
      shapes_(shapes) {
  for (auto [from, to] : zip(source.args(), target.args()))
    scalars_[&from] = &to;
}

void Emission::fail(const Instruction& where, const Twine& why) {
  if (failed()) return;
  failure_ = (source_location(where) + why).str();
}

std::string source_location(const Instruction& instruction) {
  const DebugLoc& location = instruction.getDebugLoc();
  if (!location || location.getLine() == 0) return {};
  return (location->getFilename() + ":" + Twine(location.getLine()) + ": ").str();
}

BasicBlock* Emission::new_block(const Twine& name) {
  return BasicBlock::Create(target.getContext(), name, &target);
}

Value* Emission::either(Value* condition, Way yes, Way no) {
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

AllocaInst* Emission::slot(Type* type, const Twine& name) {
  BasicBlock& entry = target.getEntryBlock();
  auto* slot = new AllocaInst(type, layout.getAllocaAddrSpace(), name, entry.begin());
  slots.push_back(slot);
  return slot;
}

// ---- Types

unsigned Emission::elements(Type* type) {
  auto* vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

Type* Emission::wide(Type* type) const {
  if (auto* record = dyn_cast<StructType>(type)) {
    SmallVector<Type*, 4> fields;
    for (Type* field : record->elements())
      fields.push_back(wide(field));
    return StructType::get(type->getContext(), fields);
  }
  return FixedVectorType::get(type->getScalarType(), elements(type) * width);
}

// ---- Values

void Emission::set(const Value* old, Value* now) {
  if (old->hasName() && isa<Instruction>(now) && !now->hasName()) now->setName(old->getName());
  (shape(old).is_varying() || writes_vector_form_ ? vectors_ : scalars_)[old] = now;
}

Value* Emission::scalar(Value* old) {
  if (isa<Constant, MetadataAsValue, InlineAsm>(old)) return old;
  Value* now = scalars_.lookup(old);
  assert(now && "a varying value is used as a scalar");
  return now;
}

Value* Emission::vector(Value* old) {
  if (auto* constant = dyn_cast<Constant>(old)) return splat_constant(constant);
  if (Value* known = vectors_.lookup(old)) return known;
  Value* one = scalar(old);
  if (auto* constant = dyn_cast<Constant>(one); constant && shape(old).is_uniform())
    return splat_constant(constant);
  IRBuilderBase::InsertPointGuard guard(build);
  place_after(one);
  if (!shape(old).checked) return vectors_[old] = spread(one, shape(old));
  bool outer = std::exchange(writes_vector_form_, true);
  emit_vector_form(*this, *cast<Instruction>(old));
  writes_vector_form_ = outer;
  return vectors_[old];
}

/// The test stands at the extension, once for all accesses that depend on it.
Value* Emission::does_not_wrap(CastInst& extension) {
  Value*& known = fits_[&extension];
  if (known) return known;
  Value* base = scalar(extension.getOperand(0));
  IRBuilderBase::InsertPointGuard guard(build);
  place_after(base);
  return known = stays_in_range(base, shape(extension.getOperand(0)).stride, isa<SExtInst>(extension));
}

/// Asks the lane that is nearest to the border, if the index does not wrap between lanes.
Value* Emission::is_not_clamped(MinMaxIntrinsic& clamp) {
  Value*& known = fits_[&clamp];
  if (known) return known;
  Value *index = clamp.getLHS(), *border = clamp.getRHS();
  if (shape(index).is_uniform()) std::swap(index, border);
  IRBuilderBase::InsertPointGuard guard(build);
  place_after(scalar(&clamp));
  const std::int64_t stride = shape(index).stride;
  Value* first = scalar(index);
  const auto span = static_cast<std::uint64_t>(stride) * (width - 1);
  Value* last = build.CreateAdd(
      first, ConstantInt::get(first->getType(), span, /*IsSigned=*/true, /*ImplicitTrunc=*/true));
  Value *lowest = stride > 0 ? first : last, *highest = stride > 0 ? last : first;
  const bool is_signed = clamp.isSigned();
  const auto at_most = is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  const bool is_minimum =
      clamp.getIntrinsicID() == llvm::Intrinsic::smin || clamp.getIntrinsicID() == llvm::Intrinsic::umin;
  Value* inside = is_minimum ? build.CreateICmp(at_most, highest, scalar(border))
                             : build.CreateICmp(at_most, scalar(border), lowest);
  return known = build.CreateAnd(inside, build.CreateICmp(at_most, lowest, highest));
}

Value* Emission::stays_in_range(Value* first, std::int64_t stride, bool is_signed) {
  const unsigned bits = first->getType()->getIntegerBitWidth();
  const APInt span(bits, static_cast<std::uint64_t>(std::abs(stride)) * (width - 1));
  if (stride > 0) {
    APInt last = (is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)) - span;
    return build.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, first, build.getInt(last));
  }
  APInt least = (is_signed ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits)) + span;
  return build.CreateICmp(is_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE, first, build.getInt(least));
}

Value* Emission::is_affine_now(Value* old) {
  Value* result = build.getTrue();
  SmallVector<Value*, 8> open{old};
  SmallPtrSet<Value*, 8> seen;
  while (!open.empty()) {
    auto* instruction = dyn_cast<Instruction>(open.pop_back_val());
    if (!instruction || !shape(instruction).checked || !seen.insert(instruction).second) continue;
    if (isa<SExtInst, ZExtInst>(instruction))
      result = build.CreateAnd(does_not_wrap(*cast<CastInst>(instruction)), result);
    if (auto* clamp = dyn_cast<MinMaxIntrinsic>(instruction))
      result = build.CreateAnd(is_not_clamped(*clamp), result);
    open.append(instruction->op_begin(), instruction->op_end());
  }
  return result;
}

void Emission::place_after(Value* value) {
  if (auto* definition = dyn_cast<Instruction>(value)) {
    BasicBlock* block = definition->getParent();
    build.SetInsertPoint(block,
                         isa<PHINode>(definition) ? block->getFirstNonPHIIt() : ++definition->getIterator());
  } else {
    build.SetInsertPoint(target.getEntryBlock().getTerminator());
  }
}

Value* Emission::splat_constant(Constant* constant) {
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

Value* Emission::spread(Value* one, Shape shape) {
  if (shape.is_affine()) return ramp(one, shape.stride);
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

Value* Emission::ramp(Value* base, std::int64_t stride) {
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

Value* Emission::mask_for(Type* type, Value* mask) {
  const unsigned count = elements(type);
  if (count == 1) return mask;
  SmallVector<int, 64> indices;
  for (unsigned i : seq(count * width))
    indices.push_back(static_cast<int>(i / count));
  return build.CreateShuffleVector(mask, indices);
}

Value* Emission::blend(Value* mask, Value* yes, Value* no, Type* old_type) {
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

Value* Emission::mask_bits(Value* mask) {
  return build.CreateBitCast(mask, build.getIntNTy(width));
}

Value* Emission::any(Value* mask) {
  return build.CreateICmpNE(mask_bits(mask), Constant::getNullValue(build.getIntNTy(width)));
}

Value* Emission::all(Value* mask) {
  Value* bits = mask_bits(mask);
  return build.CreateICmpEQ(bits, Constant::getAllOnesValue(bits->getType()));
}

Value* Emission::first_active() {
  Type* bits = build.getIntNTy(std::max(width, 32u));
  Value* active = build.CreateZExt(mask_bits(mask), bits);
  return build.CreateZExtOrTrunc(build.CreateIntrinsic(Intrinsic::cttz, {bits}, {active, build.getTrue()}),
                                 build.getInt32Ty());
}

Value* Emission::last_active() {
  Type* bits = build.getIntNTy(std::max(width, 32u));
  Value* active = build.CreateZExt(mask_bits(mask), bits);
  Value* leading = build.CreateIntrinsic(Intrinsic::ctlz, {bits}, {active, build.getTrue()});
  Value* last = ConstantInt::get(bits, bits->getIntegerBitWidth() - 1);
  return build.CreateZExtOrTrunc(build.CreateSub(last, leading), build.getInt32Ty());
}

Value* Emission::extract_lane(Value* vector, Value* lane, Type* old_type) {
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

Value* Emission::insert_lane(Value* vector, Value* part, Value* lane, Type* old_type) {
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
    // LLVM 22 has no code for insertelement of 64 bits where registers of 512 bits are avoided.
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

} // namespace hostcl::compiler

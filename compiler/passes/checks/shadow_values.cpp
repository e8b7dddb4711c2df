#include "compiler/passes/checks/shadow_values.hpp"

#include "compiler/ir/maths_instructions.hpp"
#include "compiler/ir/memory_access.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"
#include "compiler/passes/checks/shadow_memory.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr StringRef uninitialised_name = "__hostcl_uninitialised.";

bool is_zero(const Value* value) {
  const auto* constant = dyn_cast<Constant>(value);
  return constant && constant->isNullValue();
}

unsigned lanes_of(const Type* type) {
  const auto* vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

unsigned elements_of(const Type& aggregate) {
  return static_cast<unsigned>(aggregate.isStructTy() ? aggregate.getStructNumElements()
                                                      : aggregate.getArrayNumElements());
}

/// The shadow of the given type with all bits set.
Constant* all_bits(Type* type) {
  if (auto* array = dyn_cast<ArrayType>(type)) {
    SmallVector<Constant*, 8> elements(array->getNumElements(), all_bits(array->getElementType()));
    return ConstantArray::get(array, elements);
  }
  auto* structure = dyn_cast<StructType>(type);
  if (!structure) return Constant::getAllOnesValue(type);
  SmallVector<Constant*, 8> elements;
  for (Type* element : structure->elements())
    elements.push_back(all_bits(element));
  return ConstantStruct::get(structure, elements);
}

/// The shadow of a constant: all bits are set in lanes that are undefined.
Constant* shadow_of(const Constant& constant, Type* type) {
  if (isa<UndefValue>(constant)) return all_bits(type);
  const auto* vector = dyn_cast<ConstantVector>(&constant);
  if (!vector) return Constant::getNullValue(type);
  SmallVector<Constant*, 8> lanes;
  for (const Use& lane : vector->operands())
    lanes.push_back(shadow_of(*cast<Constant>(lane), type->getScalarType()));
  return ConstantVector::get(lanes);
}

/// Whether an operand is undefined. Undefined operands of shuffles are padding and do not count.
bool has_undefined_operand(const Instruction& instruction) {
  return !isa<ShuffleVectorInst>(instruction) && any_of(instruction.operands(), [](const Use& operand) {
    const auto* constant = dyn_cast<Constant>(operand);
    return constant && constant->containsUndefOrPoisonElement();
  });
}

/// The value converted to an integer type of the same size.
Value* bits_of(Value* value, Type* type, IRBuilder<>& builder) {
  if (value->getType() == type) return value;
  if (value->getType()->isPtrOrPtrVectorTy()) return builder.CreatePtrToInt(value, type);
  return builder.CreateBitCast(value, type);
}

} // namespace

bool is_marked_uninitialised(const Value& value) {
  return called_function(value).starts_with(uninitialised_name);
}

Value* uninitialised_value(IRBuilder<>& builder, Type* type, const Twine& name) {
  std::string function(uninitialised_name);
  raw_string_ostream(function) << *type;
  CallInst* call = call_host(builder, function, type, {}, MemoryEffects::none());
  call->setName(name);
  return call;
}

ShadowValues::ShadowValues(Function& function, ShadowMemory& memory)
    : function_(function), layout_(function.getDataLayout()) {
  find_affected(memory);
}

Type* ShadowValues::type_for(Type* type) const {
  return shadow_type(type, layout_);
}

/// Finds the values that may be uninitialised: values loaded from memory with a shadow, undefined values, and all
/// values that depend on them.
void ShadowValues::find_affected(ShadowMemory& memory) {
  SmallVector<Instruction*, 32> open;
  auto add = [&](Instruction& instruction) {
    if (!instruction.getType()->isVoidTy() && affected_.insert(&instruction).second)
      open.push_back(&instruction);
  };
  for (Instruction& instruction : instructions(function_)) {
    const auto accesses = memory_accesses(instruction);
    const bool is_source = accesses.empty() || !accesses.front().reads()
                               ? is_marked_uninitialised(instruction) || has_undefined_operand(instruction)
                               : memory.has_shadow(*accesses.front().pointer());
    if (is_source) add(instruction);
  }
  while (!open.empty())
    for (User* user : open.pop_back_val()->users())
      if (auto* instruction = dyn_cast<Instruction>(user); instruction && !isa<LoadInst, AllocaInst>(user))
        add(*instruction);
}

Value* ShadowValues::of(Value& value) {
  if (auto known = known_.find(&value); known != known_.end()) return known->second;
  Type* type = type_for(value.getType());
  if (auto* constant = dyn_cast<Constant>(&value)) return shadow_of(*constant, type);
  return Constant::getNullValue(type);
}

void ShadowValues::compute(Instruction& instruction) {
  if (!is_affected(instruction) || known_.contains(&instruction)) return;
  if (auto* phi = dyn_cast<PHINode>(&instruction)) {
    known_[phi] = IRBuilder<>(phi).CreatePHI(type_for(phi->getType()), phi->getNumIncomingValues(), "shadow");
    return;
  }
  if (instruction.isTerminator()) return;
  IRBuilder<> builder(instruction.getNextNode());
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  known_[&instruction] = shadow_for(instruction, builder);
}

void ShadowValues::finish() {
  for (BasicBlock& block : function_)
    for (PHINode& phi : block.phis()) {
      auto known = known_.find(&phi);
      if (known == known_.end() || !is_affected(phi)) continue;
      auto* shadow = cast<PHINode>(known->second);
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
        shadow->addIncoming(of(*phi.getIncomingValue(i)), phi.getIncomingBlock(i));
    }
}

Value* ShadowValues::shadow_for(Instruction& instruction, IRBuilder<>& builder) {
  if (is_marked_uninitialised(instruction)) return all_bits(type_for(instruction.getType()));
  if (auto* operation = dyn_cast<BinaryOperator>(&instruction)) return for_binary(*operation, builder);
  if (auto* comparison = dyn_cast<ICmpInst>(&instruction)) return for_comparison(*comparison, builder);
  if (auto* select = dyn_cast<SelectInst>(&instruction)) return for_select(*select, builder);
  if (auto* cast = dyn_cast<CastInst>(&instruction)) return for_cast(*cast, builder);
  if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) return for_shuffle(*shuffle, builder);
  if (auto* call = dyn_cast<CallBase>(&instruction)) return for_call(*call, builder);
  if (auto* element = dyn_cast<ExtractElementInst>(&instruction))
    return builder.CreateExtractElement(of(*element->getVectorOperand()), element->getIndexOperand());
  if (auto* insert = dyn_cast<InsertElementInst>(&instruction))
    return builder.CreateInsertElement(of(*insert->getOperand(0)), of(*insert->getOperand(1)),
                                       insert->getOperand(2));
  if (auto* element = dyn_cast<ExtractValueInst>(&instruction))
    return builder.CreateExtractValue(of(*element->getAggregateOperand()), element->getIndices());
  if (auto* insert = dyn_cast<InsertValueInst>(&instruction))
    return builder.CreateInsertValue(of(*insert->getAggregateOperand()),
                                     of(*insert->getInsertedValueOperand()), insert->getIndices());
  if (isa<FreezeInst>(instruction)) return of(*instruction.getOperand(0));
  SmallVector<Value*, 4> operands(instruction.operand_values());
  return by_lanes(operands, instruction.getType(), builder);
}

Value* ShadowValues::or_(Value* left, Value* right, IRBuilder<>& builder) {
  if (!left || is_zero(left)) return right;
  return !right || is_zero(right) ? left : builder.CreateOr(left, right);
}

Value* ShadowValues::and_(Value* left, Value* right, IRBuilder<>& builder) {
  if (is_zero(left)) return left;
  return is_zero(right) ? right : builder.CreateAnd(left, right);
}

Value* ShadowValues::for_binary(BinaryOperator& operation, IRBuilder<>& builder) {
  Value *a = operation.getOperand(0), *b = operation.getOperand(1), *of_a = of(*a), *of_b = of(*b);
  Value* both;
  switch (operation.getOpcode()) {
  case Instruction::And: // a bit is known if either is a known 0
    both = and_(of_a, of_b, builder);
    return or_(both, or_(and_(of_a, b, builder), and_(of_b, a, builder), builder), builder);
  case Instruction::Or: // a bit is known if either is a known 1
    both = and_(of_a, of_b, builder);
    if (!is_zero(of_a)) both = or_(both, and_(of_a, builder.CreateNot(b), builder), builder);
    if (!is_zero(of_b)) both = or_(both, and_(of_b, builder.CreateNot(a), builder), builder);
    return both;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return for_shift(operation, builder);
  default:
    if (operation.getType()->isFPOrFPVectorTy()) return by_lanes({a, b}, operation.getType(), builder);
    return or_(of_a, of_b, builder);
  }
}

Value* ShadowValues::for_shift(BinaryOperator& shift, IRBuilder<>& builder) {
  Value* moved = of(*shift.getOperand(0));
  if (!is_zero(moved)) moved = builder.CreateBinOp(shift.getOpcode(), moved, shift.getOperand(1));
  return or_(moved, by_lanes({shift.getOperand(1)}, shift.getType(), builder), builder);
}

Value* ShadowValues::for_comparison(ICmpInst& comparison, IRBuilder<>& builder) {
  Value *a = comparison.getOperand(0), *b = comparison.getOperand(1);
  Value* unknown = or_(of(*a), of(*b), builder);
  Constant* zero = Constant::getNullValue(unknown->getType());
  if (comparison.isEquality()) { // known if they differ in a known bit
    Value* difference =
        builder.CreateXor(bits_of(a, unknown->getType(), builder), bits_of(b, unknown->getType(), builder));
    Value* known = builder.CreateAnd(difference, builder.CreateNot(unknown));
    return builder.CreateAnd(builder.CreateICmpNE(unknown, zero), builder.CreateICmpEQ(known, zero));
  }
  const auto predicate = comparison.getPredicate();
  if ((predicate == ICmpInst::ICMP_SLT && is_zero(b)) ||
      (predicate == ICmpInst::ICMP_SGT && isa<Constant>(b) && cast<Constant>(b)->isAllOnesValue()))
    return builder.CreateICmpSLT(unknown, zero); // only the sign decides
  return builder.CreateICmpNE(unknown, zero);
}

Value* ShadowValues::for_select(SelectInst& select, IRBuilder<>& builder) {
  Value *yes = select.getTrueValue(), *no = select.getFalseValue();
  Value *of_yes = of(*yes), *of_no = of(*no), *of_condition = of(*select.getCondition());
  Value* chosen = of_yes == of_no ? of_yes : builder.CreateSelect(select.getCondition(), of_yes, of_no);
  if (is_zero(of_condition)) return chosen;
  Value* open = all_bits(of_yes->getType());
  if (!of_yes->getType()->isAggregateType()) { // bits that are alike do not depend on the condition
    Value* difference =
        builder.CreateXor(bits_of(yes, of_yes->getType(), builder), bits_of(no, of_yes->getType(), builder));
    open = or_(difference, or_(of_yes, of_no, builder), builder);
  }
  return builder.CreateSelect(of_condition, open, chosen);
}

Value* ShadowValues::for_cast(CastInst& cast, IRBuilder<>& builder) {
  Value* shadow = of(*cast.getOperand(0));
  Type* type = type_for(cast.getType());
  switch (cast.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
    return builder.CreateCast(cast.getOpcode(), shadow, type);
  case Instruction::BitCast:
    return builder.CreateBitCast(shadow, type);
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    return builder.CreateZExtOrTrunc(shadow, type);
  default:
    return by_lanes({cast.getOperand(0)}, cast.getType(), builder);
  }
}

Value* ShadowValues::for_shuffle(ShuffleVectorInst& shuffle, IRBuilder<>& builder) {
  // Constant operands are padding.
  auto part = [&](unsigned i) {
    Value* operand = shuffle.getOperand(i);
    return isa<Constant>(operand) ? Constant::getNullValue(type_for(operand->getType())) : of(*operand);
  };
  Value *a = part(0), *b = part(1);
  SmallVector<int, 16> mask(shuffle.getShuffleMask());
  Type* lane = a->getType()->getScalarType();
  SmallVector<Constant*, 16> kept;
  bool is_open = false;
  for (int& from : mask) {
    kept.push_back(from < 0 ? Constant::getNullValue(lane) : all_bits(lane));
    is_open |= from < 0;
    from = std::max(from, 0);
  }
  Value* shadow = builder.CreateShuffleVector(a, b, mask);
  return is_open ? builder.CreateAnd(shadow, ConstantVector::get(kept)) : shadow;
}

Value* ShadowValues::for_call(CallBase& call, IRBuilder<>& builder) {
  SmallVector<Value*, 4> operands(call.args());
  Type* type = type_for(call.getType());
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::bswap:
  case llvm::Intrinsic::bitreverse:
    return builder.CreateUnaryIntrinsic(call.getIntrinsicID(), of(*operands[0]));
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
    return or_(builder.CreateIntrinsic(call.getIntrinsicID(), {type},
                                       {of(*operands[0]), of(*operands[1]), operands[2]}),
               by_lanes({operands[2]}, call.getType(), builder), builder);
  case llvm::Intrinsic::not_intrinsic:
    break;
  default:
    return by_lanes(operands, call.getType(), builder);
  }
  if (const auto kind = called_intrinsic(call)) {
    if (*kind == Intrinsic::sub_group) return for_sub_group(call, builder);
    return by_lanes(operands, call.getType(), builder);
  }
  if (const auto instruction = called_maths_instruction(call)) {
    while (is_scalar_operand(*instruction, static_cast<unsigned>(operands.size()) - 1))
      operands.pop_back();
    return by_lanes(operands, call.getType(), builder);
  }
  return Constant::getNullValue(type); // the call's arguments are checked instead
}

/// The shadow of a sub-group operation: the same operation on the shadows, with `or` in place of reductions and scans.
Value* ShadowValues::for_sub_group(CallBase& call, IRBuilder<>& builder) {
  const SubGroupOperation operation = called_operation(call);
  Value* shadow = of(*call.getArgOperand(0));
  Type* type = type_for(call.getType());
  if (is_zero(shadow)) return Constant::getNullValue(type);
  auto write = [&](const Twine& name, ArrayRef<Value*> operands, Type* result) {
    CallInst* written = call_function(builder, "__hostcl_sub_group_" + name, result, operands);
    annotate_intrinsics(*function_.getParent());
    return written;
  };
  auto same = [&](const Twine& name) {
    SmallVector<Value*, 2> operands(call.args());
    operands.front() = shadow;
    return write(name + "_i" + Twine(shadow->getType()->getScalarSizeInBits()), operands, type);
  };
  switch (operation.kind) {
  case SubGroupOperation::shuffle:
    return same("shuffle");
  case SubGroupOperation::broadcast:
    return same("broadcast");
  case SubGroupOperation::first:
    return same("first");
  case SubGroupOperation::scan_inclusive:
    return same("scan_inclusive_or");
  case SubGroupOperation::scan_exclusive:
    return same("scan_exclusive_or");
  case SubGroupOperation::reduce:
    return same("reduce_or");
  default:
    return spread(write("any", {any(builder, shadow)}, builder.getInt1Ty()), call.getType(), builder);
  }
}

Value* ShadowValues::by_lanes(ArrayRef<Value*> operands, Type* type, IRBuilder<>& builder) {
  Type* result = type_for(type);
  const bool has_lanes = !result->isAggregateType() && all_of(operands, [&](const Value* operand) {
    return lanes_of(operand->getType()) == lanes_of(result);
  });
  Value* wrong = nullptr; // a bit for each lane, or one for all
  for (Value* operand : operands) {
    Value* shadow = of(*operand);
    if (!is_zero(shadow))
      wrong = or_(wrong, has_lanes ? builder.CreateIsNotNull(shadow) : any(builder, shadow), builder);
  }
  if (!wrong) return Constant::getNullValue(result);
  return has_lanes ? builder.CreateSExt(wrong, result) : spread(wrong, type, builder);
}

Value* ShadowValues::spread(Value* wrong, Type* type, IRBuilder<>& builder) {
  Type* result = type_for(type);
  if (!result->isAggregateType()) {
    if (auto* vector = dyn_cast<FixedVectorType>(result))
      wrong = builder.CreateVectorSplat(vector->getNumElements(), wrong);
    return builder.CreateSExt(wrong, result);
  }
  Value* shadow = PoisonValue::get(result);
  for (unsigned i = 0; i < elements_of(*result); ++i)
    shadow = builder.CreateInsertValue(
        shadow, spread(wrong, ExtractValueInst::getIndexedType(result, {i}), builder), {i});
  return shadow;
}

Value* ShadowValues::any(IRBuilder<>& builder, Value* shadow) {
  if (is_zero(shadow)) return nullptr;
  Type* type = shadow->getType();
  if (type->isIntegerTy(1)) return shadow;
  if (type->isIntegerTy()) return builder.CreateIsNotNull(shadow);
  if (type->isVectorTy()) return any(builder, or_of_lanes(builder, shadow)); // one comparison for all lanes
  Value* wrong = nullptr;
  for (unsigned i = 0; i < elements_of(*type); ++i)
    wrong = or_(wrong, any(builder, builder.CreateExtractValue(shadow, {i})), builder);
  return wrong;
}

} // namespace hostcl::compiler

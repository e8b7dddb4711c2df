#include "instructions.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

namespace random_ir {

using namespace llvm;

namespace compiler = hostcl::compiler;

Value* Instructions::any(Type* type) {
  const auto found = known_.find(type);
  if (found == known_.end() || found->second.empty() || random_.one_in(4)) return odd_.constant(type);
  return random_.one_of(std::span<Value* const>(found->second));
}

MaybeAlign Instructions::alignment() {
  constexpr std::uint64_t odd[] = {1, 1, 2, 4, 8, 16, 128, 4096, std::uint64_t{1} << 31};
  return random_.one_in(2) ? MaybeAlign() : MaybeAlign(random_.one_of(odd));
}

Value* Instructions::write_integers() {
  Type* type = odd_.integers();
  constexpr Instruction::BinaryOps operations[] = {
      Instruction::Add,  Instruction::Sub,  Instruction::Mul,  Instruction::And,  Instruction::Or,
      Instruction::Xor,  Instruction::Shl,  Instruction::LShr, Instruction::AShr, Instruction::UDiv,
      Instruction::SDiv, Instruction::URem, Instruction::SRem};
  Value* result = build_.CreateBinOp(random_.one_of(operations), any(type), any(type));
  auto* written = cast<Instruction>(result);
  if (isa<OverflowingBinaryOperator>(written)) {
    written->setHasNoSignedWrap(random_.one_in(4));
    written->setHasNoUnsignedWrap(random_.one_in(4));
  }
  if (isa<PossiblyExactOperator>(written)) written->setIsExact(random_.one_in(4));
  return result;
}

Value* Instructions::write_floatings() {
  Type* type = odd_.floatings();
  constexpr Instruction::BinaryOps operations[] = {Instruction::FAdd, Instruction::FSub, Instruction::FMul,
                                                   Instruction::FDiv, Instruction::FRem};
  auto* result = cast<Instruction>(
      random_.one_in(6) ? build_.CreateFNeg(any(type))
                        : build_.CreateBinOp(random_.one_of(operations), any(type), any(type)));
  if (random_.one_in(4)) result->setFast(true);
  return result;
}

Value* Instructions::write_comparison() {
  if (random_.one_in(3)) {
    Type* type = odd_.floatings();
    const auto predicate = static_cast<CmpInst::Predicate>(random_.below(CmpInst::LAST_FCMP_PREDICATE + 1));
    return build_.CreateFCmp(predicate, any(type), any(type));
  }
  Type* type = random_.one_in(4) ? odd_.pointer() : odd_.integers();
  constexpr unsigned count = CmpInst::LAST_ICMP_PREDICATE - CmpInst::FIRST_ICMP_PREDICATE + 1;
  const auto predicate =
      static_cast<CmpInst::Predicate>(CmpInst::FIRST_ICMP_PREDICATE + random_.below(count));
  return build_.CreateICmp(predicate, any(type), any(type));
}

Value* Instructions::write_choice() {
  Type* type = odd_.any();
  if (random_.one_in(4)) return build_.CreateFreeze(any(type));
  Type* condition = build_.getInt1Ty();
  if (auto* vector = dyn_cast<FixedVectorType>(type); vector && random_.one_in(2))
    condition = FixedVectorType::get(condition, vector->getNumElements());
  return build_.CreateSelect(any(condition), any(type), any(type));
}

Value* Instructions::write_bit_cast() {
  Value* from = any(random_.one_in(2) ? odd_.integers() : odd_.floatings());
  const auto bits = static_cast<unsigned>(from->getType()->getPrimitiveSizeInBits().getFixedValue());
  Type* element = odd_.scalar();
  const auto part = static_cast<unsigned>(element->getPrimitiveSizeInBits().getFixedValue());
  if (bits % part != 0) return build_.CreateFreeze(from);
  return build_.CreateBitCast(from, bits == part ? element : FixedVectorType::get(element, bits / part));
}

Value* Instructions::write_cast() {
  Type *number = odd_.integer(), *floating = odd_.floating();
  Type *from_integer = odd_.integer(), *from_floating = odd_.floating();
  if (random_.one_in(2)) {
    const ElementCount count = odd_.vector_of(number)->getElementCount();
    for (Type** type : {&number, &floating, &from_integer, &from_floating})
      *type = VectorType::get(*type, count);
  }
  switch (random_.below(9)) {
  case 0:
    return build_.CreateSExtOrTrunc(any(from_integer), number);
  case 1:
    return build_.CreateZExtOrTrunc(any(from_integer), number);
  case 2:
    return random_.one_in(2) ? build_.CreateUIToFP(any(from_integer), floating)
                             : build_.CreateSIToFP(any(from_integer), floating);
  case 3:
    return random_.one_in(2) ? build_.CreateFPToUI(any(from_floating), number)
                             : build_.CreateFPToSI(any(from_floating), number);
  case 4:
    return build_.CreateFPCast(any(from_floating), floating);
  case 5:
    return build_.CreatePtrToInt(any_pointer(), odd_.integer());
  case 6:
    return build_.CreateIntToPtr(any(odd_.integer()), odd_.pointer());
  case 7:
    return build_.CreateAddrSpaceCast(any_pointer(), PointerType::get(module_.getContext(), 4));
  default:
    return write_bit_cast();
  }
}

/// Some are past the end.
Value* Instructions::element_index(FixedVectorType* type) {
  if (random_.one_in(3)) return any(random_.one_in(2) ? build_.getInt32Ty() : build_.getInt64Ty());
  const unsigned count = type->getNumElements();
  if (random_.one_in(8)) return build_.getInt64(~std::uint64_t{0} - random_.below(2));
  return build_.getInt32(random_.below(count + 1 + (random_.one_in(4) ? 20 : 0)));
}

Value* Instructions::write_element() {
  Value* vector = any_vector();
  auto* type = cast<FixedVectorType>(vector->getType());
  if (random_.one_in(2)) return build_.CreateExtractElement(vector, element_index(type));
  return build_.CreateInsertElement(vector, any(type->getElementType()), element_index(type));
}

Value* Instructions::write_shuffle() {
  Value* first = any_vector();
  auto* type = cast<FixedVectorType>(first->getType());
  SmallVector<int, 16> mask;
  const unsigned count = odd_.vector_of(type->getElementType())->getNumElements();
  for (unsigned i = 0; i < count; ++i)
    mask.push_back(random_.one_in(5) ? PoisonMaskElem
                                     : static_cast<int>(random_.below(2 * type->getNumElements())));
  return build_.CreateShuffleVector(first, any(type), mask);
}

Value* Instructions::write_part() {
  Value* whole = any(odd_.aggregate());
  Type* type = whole->getType();
  const auto count =
      type->isStructTy() ? type->getStructNumElements() : static_cast<unsigned>(type->getArrayNumElements());
  if (count == 0) return build_.CreateFreeze(whole);
  const unsigned index = random_.below(count);
  if (random_.one_in(2)) return build_.CreateExtractValue(whole, index);
  Type* part = type->isStructTy() ? type->getStructElementType(index) : type->getArrayElementType();
  return build_.CreateInsertValue(whole, any(part), index);
}

Value* Instructions::write_address() {
  Value* base = any_pointer();
  Type* type = odd_.in_memory();
  SmallVector<Value*, 3> indices{any(random_.one_in(3) ? build_.getInt32Ty() : build_.getInt64Ty())};
  if (type->isArrayTy() && random_.one_in(2)) indices.push_back(any(build_.getInt64Ty()));
  if (type->isStructTy() && type->getStructNumElements() > 0 && random_.one_in(2))
    indices.push_back(build_.getInt32(random_.below(type->getStructNumElements())));
  const auto flags = random_.one_in(3)   ? GEPNoWrapFlags::inBounds()
                     : random_.one_in(3) ? GEPNoWrapFlags::noUnsignedWrap()
                                         : GEPNoWrapFlags::none();
  return build_.CreateGEP(type, base, indices, "", flags);
}

Value* Instructions::write_load() {
  return build_.CreateAlignedLoad(odd_.any(), any_pointer(), alignment(), random_.one_in(10));
}

void Instructions::write_store() {
  build_.CreateAlignedStore(any(odd_.any()), any_pointer(), alignment(), random_.one_in(10));
}

void Instructions::write_variable() {
  AllocaInst* variable = build_.CreateAlloca(odd_.in_memory(), nullptr, "");
  constexpr std::uint64_t alignments[] = {1, 4, 16, 64, 1024};
  if (random_.one_in(3)) variable->setAlignment(Align(random_.one_of(alignments)));
  note(variable);
  if (random_.one_in(2))
    note(build_.CreateAddrSpaceCast(variable, PointerType::get(module_.getContext(), 4)));
}

void Instructions::write_query() {
  using enum compiler::Intrinsic;
  constexpr compiler::Intrinsic queries[] = {local_id,    group_id,      local_size, enqueued_local_size,
                                             global_size, global_offset, group_count};
  Function* query = compiler::declare_intrinsic(module_, random_.one_of(queries));
  Value* result = build_.CreateCall(query, {build_.getInt32(random_.below(3))});
  note(result);
  note(build_.CreateTrunc(result, build_.getInt32Ty()));
  note(build_.CreateGEP(odd_.scalar(), any(build_.getPtrTy(1)), result));
}

} // namespace random_ir

// Reads SPV_INTEL_masked_gather_scatter: makes a load or a store for each component that the mask selects.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"

#include "llvm/Support/MathExtras.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

struct Accesses {
  Value *pointers, *mask;
  Align alignment;
};

/// @param type type of the numbers in memory
Accesses read_accesses(Reader& r, const Type& type, Operands& in) {
  const TypedValue pointers = r.pointers(in.id());
  const std::uint32_t alignment = in.word();
  const TypedValue mask = r.boolean(in.id());
  if (!type.is(Kind::vector) || !type.element->ir->isSized() || type.element->is(Kind::boolean))
    refuse("the accessed type must be a vector of numbers or pointers");
  for (const Type* other : {pointers.type, mask.type})
    if (!other->is(Kind::vector) || other->count != type.count)
      refuse("the pointers or the mask have another number of components");
  if (alignment != 0 && !isPowerOf2_32(alignment))
    refuse("the alignment " + Twine(alignment) + " is not a power of two");
  return {pointers.value, mask.value,
          alignment ? Align(alignment) : r.layout().getABITypeAlign(type.element->ir)};
}

/// where() for component `i` of the mask.
Value* where_set(Reader& r, Value* mask, std::uint64_t i, Value* otherwise, function_ref<Value*()> access) {
  return where(r, r.ir().CreateExtractElement(mask, i), otherwise, access);
}

} // namespace

Value* where(Reader& r, Value* condition, Value* otherwise, function_ref<Value*()> access) {
  IRBuilder<>& ir = r.ir();
  if (const auto* known = dyn_cast<ConstantInt>(condition)) return known->isOne() ? access() : otherwise;
  BasicBlock* before = ir.GetInsertBlock();
  BasicBlock *set = r.new_block(), *next = r.new_block();
  ir.CreateCondBr(condition, set, next);
  ir.SetInsertPoint(set);
  Value* value = access();
  ir.CreateBr(next);
  ir.SetInsertPoint(next);
  if (!value) return nullptr;
  PHINode* chosen = ir.CreatePHI(value->getType(), 2);
  chosen->addIncoming(value, set);
  chosen->addIncoming(otherwise, before);
  return chosen;
}

Value* read_gather(Reader& r, const Type& type, Operands in) {
  const Accesses accesses = read_accesses(r, type, in);
  const TypedValue fill = r.operand(in.id());
  // By the specification there is one number for all components; llvm-spirv writes one number for each.
  const bool is_scalar = fill.value->getType() == type.element->ir;
  if (!is_scalar && fill.value->getType() != type.ir)
    refuse("the type of FillEmpty differs from the result type");
  IRBuilder<>& ir = r.ir();
  Value* gathered = is_scalar ? ir.CreateVectorSplat(type.count, fill.value) : fill.value;
  for (std::uint64_t i = 0; i < type.count; ++i)
    gathered = where_set(r, accesses.mask, i, gathered, [&] {
      Value* pointer = ir.CreateExtractElement(accesses.pointers, i);
      Value* loaded = ir.CreateAlignedLoad(type.element->ir, pointer, accesses.alignment);
      return ir.CreateInsertElement(gathered, loaded, i);
    });
  return gathered;
}

void read_scatter(Reader& r, Operands in) {
  const TypedValue vector = r.operand(in.id());
  const Accesses accesses = read_accesses(r, *vector.type, in);
  IRBuilder<>& ir = r.ir();
  for (std::uint64_t i = 0; i < vector.type->count; ++i)
    where_set(r, accesses.mask, i, nullptr, [&]() -> Value* {
      Value* pointer = ir.CreateExtractElement(accesses.pointers, i);
      ir.CreateAlignedStore(ir.CreateExtractElement(vector.value, i), pointer, accesses.alignment);
      return nullptr;
    });
}

} // namespace hostcl::compiler::spirv

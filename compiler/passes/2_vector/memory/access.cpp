#include "compiler/passes/2_vector/memory/access.hpp"

#include "compiler/passes/2_vector/memory/address_numbers.hpp"
#include "compiler/passes/2_vector/memory/affine_tests.hpp"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The only index of the address that is not uniform, if it is an extended 32-bit integer; null otherwise. The index
/// may also belong to the pointer from which the address is computed with uniform indices. @param unit gets the index's
/// scale in bytes
CastInst* extended_index(const Emission& e, const GetElementPtrInst& address, std::uint64_t& unit) {
  if (!e.shape(address.getPointerOperand()).is_uniform()) {
    const auto* inner = dyn_cast<GetElementPtrInst>(address.getPointerOperand());
    const bool has_index =
        any_of(address.indices(), [&](const Value* index) { return !e.shape(index).is_uniform(); });
    return inner && !has_index ? extended_index(e, *inner, unit) : nullptr;
  }
  auto* index = dyn_cast_or_null<CastInst>(only_index(e, address, unit));
  return index && isa<SExtInst, ZExtInst>(index) && index->getSrcTy()->isIntegerTy(32) &&
                 index->getDestTy()->isIntegerTy(64)
             ? index
             : nullptr;
}

/// The scalar address that results if `index` replaces the operand of `extension`.
Value* address_at(Emission& e, GetElementPtrInst& address, const CastInst& extension, Value* index) {
  Value* base = address.getPointerOperand();
  base = e.shape(base).is_uniform() ? e.scalar(base)
                                    : address_at(e, cast<GetElementPtrInst>(*base), extension, index);
  SmallVector<Value*, 4> indices;
  for (const Use& use : address.indices())
    indices.push_back(use.get() == &extension
                          ? e.build.CreateCast(extension.getOpcode(), index, extension.getDestTy())
                          : e.scalar(use.get()));
  return e.build.CreateGEP(address.getSourceElementType(), base, indices);
}

Value* all_active(Emission& e, Value* condition) {
  return e.all(e.build.CreateSelect(e.mask, condition, Constant::getAllOnesValue(condition->getType())));
}

/// Freezes a vector before it is compared, because inactive lanes may be poison.
Value* frozen(Emission& e, Value* lanes) {
  return isa<Constant>(lanes) ? lanes : e.build.CreateFreeze(lanes);
}

Guess test_index(Emission& e, GetElementPtrInst& address, CastInst& extension, std::int64_t step) {
  Value* lanes = frozen(e, e.vector(extension.getOperand(0)));
  Value* first = e.build.CreateExtractElement(lanes, std::uint64_t{0});
  Value* in_step = all_active(e, e.build.CreateICmpEQ(lanes, e.ramp(first, step)));
  Value* holds = e.build.CreateAnd(in_step, stays_in_range(e, first, step, isa<SExtInst>(extension)));
  return {holds, address_at(e, address, extension, first)};
}

} // namespace

Value* only_index(const Emission& e, const GetElementPtrInst& address, std::uint64_t& unit) {
  Value* found = nullptr;
  for (gep_type_iterator step = gep_type_begin(address), end = gep_type_end(address); step != end; ++step) {
    if (e.shape(step.getOperand()).is_uniform()) continue;
    if (found) return nullptr;
    found = step.getOperand();
    unit = step.getSequentialElementStride(e.layout).getFixedValue();
  }
  return found;
}

Guess test_guess(Emission& e, AffineTests& affine, Value* pointer, const Recipe& recipe) {
  if (recipe.confidence == Confidence::checked) return {affine.is_affine_now(pointer), e.scalar(pointer)};
  std::uint64_t unit = 0;
  if (auto* address = dyn_cast<GetElementPtrInst>(pointer); address && recipe.stride != 0)
    if (CastInst* index = extended_index(e, *address, unit);
        index && recipe.stride % static_cast<std::int64_t>(unit) == 0)
      return test_index(e, *address, *index, recipe.stride / static_cast<std::int64_t>(unit));
  Value* lanes = frozen(e, e.vector(pointer));
  Value* numbers = opaque_addresses(e, lanes);
  Value* at = recipe.form == Form::same ? e.first_active() : e.build.getInt32(0);
  Value* number = e.build.CreateExtractElement(numbers, at);
  Value* wanted =
      recipe.form == Form::same ? e.build.CreateVectorSplat(e.width, number) : e.ramp(number, recipe.stride);
  return {all_active(e, e.build.CreateICmpEQ(numbers, wanted)), e.build.CreateExtractElement(lanes, at)};
}

void keep_metadata(Instruction* now, const Instruction& old) {
  constexpr unsigned kinds[] = {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias};
  now->copyMetadata(old, kinds);
}

} // namespace hostcl::compiler

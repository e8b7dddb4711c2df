#include "compiler/passes/2_vector/memory/access.hpp"

#include "compiler/passes/2_vector/memory/address_numbers.hpp"
#include "compiler/passes/2_vector/memory/affine_tests.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The largest stride, in elements, of a wide access with gaps. Above it a gather costs less.
constexpr std::int64_t largest_gap = 4;

bool has_plain_layout(const DataLayout& layout, Type* type) {
  Type* element = type->getScalarType();
  if (type->isAggregateType() || !VectorType::isValidElementType(element) || element->isX86_FP80Ty())
    return false;
  std::uint64_t bits = layout.getTypeSizeInBits(element).getFixedValue();
  return bits % 8 == 0 && isPowerOf2_64(bits) && bits <= 64 &&
         !(type->isVectorTy() && element->isPointerTy());
}

// Gains of strided_access on an Emerald Rapids Xeon: grey of RGB bytes 4.1, complex numbers 1.8, RGB floats 1.4 to 1.6
// times as fast.
/// Whether the CPU has the masks that a wide access with gaps needs. CPUs without masks for bytes have them for
/// elements of 32 and 64 bits only; there, only loads gain.
bool may_leave_gaps(const Emission& e, const Instruction& instruction) {
  Type* type = getLoadStoreType(&instruction);
  if (!e.switches.is_on(Heuristic::strided_access) || type->isVectorTy()) return false;
  return e.cpu.byte_masks || (isa<LoadInst>(instruction) && type->getScalarSizeInBits() >= 32);
}

Form form_for(const Emission& e, const Instruction& instruction, std::int64_t stride) {
  Type* type = getLoadStoreType(&instruction);
  auto size = static_cast<std::int64_t>(e.layout.getTypeSizeInBits(type).getFixedValue() / 8);
  if (stride == size || (stride == -size && !type->isVectorTy())) return Form::row;
  const bool gaps = stride > 0 && stride % size == 0 && stride / size <= largest_gap;
  return gaps && may_leave_gaps(e, instruction) ? Form::strided : Form::scattered;
}

/// The only index of the address that is not uniform, if it is an extended 32-bit integer; null otherwise. The index
/// may also belong to the pointer from which the address is computed with uniform indices. @param unit gets the index's
/// scale in bytes
CastInst* extended_index(const Emission& e, const GetElementPtrInst& address, std::uint64_t& unit) {
  CastInst* found = nullptr;
  for (gep_type_iterator step = gep_type_begin(address), end = gep_type_end(address); step != end; ++step) {
    if (e.shape(step.getOperand()).is_uniform()) continue;
    auto* index = dyn_cast<CastInst>(step.getOperand());
    if (found || !index || !isa<SExtInst, ZExtInst>(index) || !index->getSrcTy()->isIntegerTy(32) ||
        !index->getDestTy()->isIntegerTy(64))
      return nullptr;
    found = index;
    unit = step.getSequentialElementStride(e.layout).getFixedValue();
  }
  if (e.shape(address.getPointerOperand()).is_uniform()) return found;
  const auto* inner = dyn_cast<GetElementPtrInst>(address.getPointerOperand());
  return inner && !found ? extended_index(e, *inner, unit) : nullptr;
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

Access AccessForms::of(const Instruction& instruction) {
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  const auto* load = dyn_cast<LoadInst>(&instruction);
  if (!(load ? load->isSimple() : cast<StoreInst>(instruction).isSimple())) return {Form::lane_by_lane};
  Shape shape = e_.shape(pointer);
  if (shape.is_uniform()) return {Form::scalar};
  if (!has_plain_layout(e_.layout, getLoadStoreType(&instruction))) return {Form::lane_by_lane};
  if (shape.is_affine()) {
    Form form = form_for(e_, instruction, shape.stride());
    return {form, shape.stride(), shape.is_checked() ? Condition::no_wrap : Condition::none};
  }
  const auto guess = shape.likely_stride();
  if (!guess) return {Form::scattered};
  if (*guess == 0) return {load ? Form::same : Form::scattered, 0, Condition::guessed};
  return {form_for(e_, instruction, *guess), *guess, Condition::guessed};
}

Guess AccessForms::test_guess(Value* pointer, const Access& access) {
  if (access.condition == Condition::no_wrap) return {affine_.is_affine_now(pointer), e_.scalar(pointer)};
  std::uint64_t unit = 0;
  if (auto* address = dyn_cast<GetElementPtrInst>(pointer); address && access.stride != 0)
    if (CastInst* index = extended_index(e_, *address, unit);
        index && access.stride % static_cast<std::int64_t>(unit) == 0)
      return test_index(e_, *address, *index, access.stride / static_cast<std::int64_t>(unit));
  Value* lanes = frozen(e_, e_.vector(pointer));
  Value* numbers = opaque_addresses(e_, lanes);
  Value* at = access.form == Form::same ? e_.first_active() : e_.build.getInt32(0);
  Value* number = e_.build.CreateExtractElement(numbers, at);
  Value* wanted = access.form == Form::same ? e_.build.CreateVectorSplat(e_.width, number)
                                            : e_.ramp(number, access.stride);
  return {all_active(e_, e_.build.CreateICmpEQ(numbers, wanted)), e_.build.CreateExtractElement(lanes, at)};
}

void keep_metadata(Instruction* now, const Instruction& old) {
  constexpr unsigned kinds[] = {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias};
  now->copyMetadata(old, kinds);
}

} // namespace hostcl::compiler

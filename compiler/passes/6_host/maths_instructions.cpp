// Replaces calls of the functions `__hostcl_maths_*` of docs/kernel-ir.md by intrinsics for AVX-512. Kernels for other
// CPUs have no such calls (ir/maths_instructions.hpp). A vector that is wider than the function's preferred vector
// width is split, and a scalar becomes the first element of a vector.
//
//   %e = call <16 x float> @__hostcl_maths_exponent.v16f32(<16 x float> %x)
// becomes
//   %e = call <16 x float> @llvm.x86.avx512.mask.getexp.ps.512(<16 x float> %x, <16 x float> poison, i16 -1, i32 4)
//
// Tests: tests/passes/6_host/maths_instructions.ll

#include "compiler/passes/passes.hpp"

#include "compiler/ir/maths_instructions.hpp"
#include "compiler/passes/preserved.hpp"

#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsX86.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// LLVM's intrinsics for an instruction, for registers of 128, 256 and 512 bits.
struct Row {
  Intrinsic::ID of_float[3], of_double[3];
  bool has_rounding; ///< whether the intrinsic for 512 bits has an operand for the rounding mode
};

#define SIZES(name) {Intrinsic::name##_128, Intrinsic::name##_256, Intrinsic::name##_512}
/// In the order of MathsInstruction, without entry.
constexpr Row rows[] = {
    {SIZES(x86_avx512_mask_getexp_ps), SIZES(x86_avx512_mask_getexp_pd), true},
    {SIZES(x86_avx512_mask_getmant_ps), SIZES(x86_avx512_mask_getmant_pd), true},
    {SIZES(x86_avx512_mask_scalef_ps), SIZES(x86_avx512_mask_scalef_pd), true},
    {SIZES(x86_avx512_rcp14_ps), SIZES(x86_avx512_rcp14_pd), false},
    {SIZES(x86_avx512_rsqrt14_ps), SIZES(x86_avx512_rsqrt14_pd), false},
};
#undef SIZES

/// Tables with more entries stay in memory.
constexpr unsigned most_entries = 32;
constexpr unsigned current_rounding = 4;
/// The operand of getmant for results in [3/4, 3/2), 1 for -0 and NaN for negative numbers.
constexpr unsigned significand_kind = 15;

class Lowering {
public:
  Lowering(CallBase& call, MathsInstruction instruction, unsigned vector_bits)
      : call_(call),
        build_(&call),
        instruction_(instruction),
        element_(call.getType()->getScalarType()),
        vector_bits_(vector_bits) {}

  Value* run() {
    auto* type = dyn_cast<FixedVectorType>(call_.getType());
    const unsigned count = type ? type->getNumElements() : 1;
    const unsigned least = 128 / element_bits(), most = vector_bits_ / element_bits();
    const unsigned lanes = std::clamp(unsigned(PowerOf2Ceil(count)), least, most);
    SmallVector<Value*, 4> parts;
    for (unsigned first = 0; first < count; first += lanes) {
      SmallVector<Value*, 2> operands;
      for (const auto& [i, operand] : enumerate(call_.args()))
        if (!is_scalar_operand(instruction_, i)) operands.push_back(part(operand, first, lanes));
      parts.push_back(instruction_ == MathsInstruction::entry
                          ? look_up(operands[0], std::min(lanes, count - first))
                          : compute(operands));
    }
    Value* all = concatenateVectors(build_, parts);
    if (!type) return build_.CreateExtractElement(all, std::uint64_t(0));
    return count == lanes * parts.size() ? all : build_.CreateShuffleVector(all, numbers(0, count));
  }

private:
  unsigned element_bits() const { return element_->getPrimitiveSizeInBits(); }

  static SmallVector<int> numbers(unsigned first, unsigned end) {
    return to_vector(seq(int(first), int(end)));
  }

  /// `lanes` elements of a vector from element `first` on. Elements beyond the end are poison. A scalar counts as a
  /// vector of one element.
  Value* part(Value* whole, unsigned first, unsigned lanes) {
    auto* type = dyn_cast<FixedVectorType>(whole->getType());
    if (!type)
      return build_.CreateInsertElement(PoisonValue::get(FixedVectorType::get(whole->getType(), lanes)),
                                        whole, std::uint64_t(0));
    const unsigned count = type->getNumElements();
    if (count == lanes) return whole;
    SmallVector<int> mask = numbers(first, std::min(first + lanes, count));
    mask.resize(lanes, PoisonMaskElem);
    return build_.CreateShuffleVector(whole, mask);
  }

  Value* compute(ArrayRef<Value*> operands) {
    const Row& row = rows[static_cast<unsigned>(instruction_)];
    auto* type = cast<FixedVectorType>(operands[0]->getType());
    const unsigned lanes = type->getNumElements(), size = Log2_32(lanes * element_bits() / 128);
    SmallVector<Value*, 6> all(operands);
    if (instruction_ == MathsInstruction::significand) all.push_back(build_.getInt32(significand_kind));
    all.push_back(PoisonValue::get(type)); // results of lanes that are not in the mask: none
    all.push_back(Constant::getAllOnesValue(build_.getIntNTy(std::max(8U, lanes))));
    if (row.has_rounding && size == 2) all.push_back(build_.getInt32(current_rounding));
    return build_.CreateIntrinsic((element_->isFloatTy() ? row.of_float : row.of_double)[size], all);
  }

  /// The entries at the elements of `index`, from registers if the table is a constant. Each permutation selects from
  /// two registers; higher bits of the index then select among the permutations. `used` elements are needed.
  Value* look_up(Value* index, unsigned used) {
    const unsigned lanes = cast<FixedVectorType>(index->getType())->getNumElements();
    const auto* entries = dyn_cast<ConstantInt>(call_.getArgOperand(2));
    const SmallVector<Constant*, 32> table =
        constants(entries && entries->getZExtValue() <= most_entries ? unsigned(entries->getZExtValue()) : 0);
    if (table.empty() || lanes * element_bits() == 128) return load(index, used);
    SmallVector<Value*, 8> found; // one permutation for each two registers of the table
    for (unsigned first = 0; first < table.size(); first += 2 * lanes)
      found.push_back(permute(row(table, first, lanes), index, row(table, first + lanes, lanes)));
    for (unsigned bit = 2 * lanes; found.size() > 1; bit *= 2) {
      Value* upper = build_.CreateICmpNE(build_.CreateAnd(index, ConstantInt::get(index->getType(), bit)),
                                         Constant::getNullValue(index->getType()));
      for (std::size_t i = 0; i < found.size() / 2; ++i)
        found[i] = build_.CreateSelect(upper, found[2 * i + 1], found[2 * i]);
      found.resize(found.size() / 2);
    }
    return found.front();
  }

  /// The first `count` entries of the table; none if they are not constants.
  SmallVector<Constant*, 32> constants(unsigned count) {
    const DataLayout& layout = call_.getDataLayout();
    Value* place = call_.getArgOperand(1);
    APInt offset(layout.getIndexTypeSizeInBits(place->getType()), 0);
    auto* table = dyn_cast<GlobalVariable>(
        place->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true));
    SmallVector<Constant*, 32> result;
    if (!table || !table->hasInitializer()) return result;
    for (unsigned i = 0; i < count; ++i, offset += layout.getTypeStoreSize(element_)) {
      Constant* one = ConstantFoldLoadFromConst(table->getInitializer(), element_, offset, layout);
      if (!one) return {};
      result.push_back(one);
    }
    return result;
  }

  /// `lanes` entries from entry `first` on, as a register. After the table's last entry follows its first one.
  Constant* row(ArrayRef<Constant*> table, unsigned first, unsigned lanes) {
    SmallVector<Constant*, 16> elements;
    for (unsigned i = 0; i < lanes; ++i)
      elements.push_back(table[(first + i) % table.size()]);
    return ConstantVector::get(elements);
  }

  Value* permute(Value* low, Value* index, Value* high) {
    const bool is_wide = cast<FixedVectorType>(low->getType())->getNumElements() * element_bits() == 512;
    const Intrinsic::ID id =
        element_->isFloatTy()
            ? (is_wide ? Intrinsic::x86_avx512_vpermi2var_ps_512 : Intrinsic::x86_avx512_vpermi2var_ps_256)
            : (is_wide ? Intrinsic::x86_avx512_vpermi2var_pd_512 : Intrinsic::x86_avx512_vpermi2var_pd_256);
    return build_.CreateIntrinsic(id, {low, index, high});
  }

  /// As look_up(), by loads, for the first `used` elements only.
  Value* load(Value* index, unsigned used) {
    const unsigned lanes = cast<FixedVectorType>(index->getType())->getNumElements();
    Value* result = PoisonValue::get(FixedVectorType::get(element_, lanes));
    Value* last = build_.CreateSub(call_.getArgOperand(2), build_.getInt32(1));
    for (unsigned i = 0; i < used; ++i) {
      Value* one = build_.CreateExtractElement(index, i);
      one = build_.CreateAnd(one, build_.CreateZExt(last, one->getType()));
      Value* place = build_.CreateInBoundsGEP(element_, call_.getArgOperand(1), one);
      result = build_.CreateInsertElement(result, build_.CreateLoad(element_, place), i);
    }
    return result;
  }

  CallBase& call_;
  IRBuilder<> build_;
  MathsInstruction instruction_;
  Type* element_;
  unsigned vector_bits_;
};

} // namespace

PreservedAnalyses maths_instructions_pass(Function& function, FunctionAnalysisManager&) {
  const auto vector_bits =
      unsigned(function.getFnAttributeAsParsedInteger("prefer-vector-width", /*Default=*/256));
  return replace_each(function, [&](Instruction& instruction) -> Value* {
    auto* call = dyn_cast<CallBase>(&instruction);
    const auto step = call ? called_maths_instruction(*call) : std::nullopt;
    return step ? Lowering(*call, *step, vector_bits).run() : nullptr;
  });
}

} // namespace hostcl::compiler

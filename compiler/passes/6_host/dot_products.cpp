// Selects the dot product instructions of AArch64 (sdot, udot), each of which adds four products of bytes to each
// 32-bit element. LLVM selects these instructions only for reductions that its loop vectoriser has made. This pass
// selects them for the built-in function dot() of cl_khr_integer_dot_product, and for sums of products in the program's
// source:
//
//   %x = sext <4 x i8> (elements 0, 4, 8, 12 of <16 x i8> %a) to <4 x i32>       and so on for elements 1, 2, 3
//   %p = mul <4 x i32> %x, (elements 0, 4, 8, 12 of <16 x i8> %b, extended)      and so on
//   %s = add %c, (the sum of the four products)
// becomes
//   %s = call <4 x i32> @llvm.aarch64.neon.sdot.v4i32.v16i8(<4 x i32> %c, <16 x i8> %a, <16 x i8> %b)
//
// One operand may be the same for all lanes: its four bytes are then elements of a <4 x i8>. The results are the same,
// since both forms wrap. Vectors as long as a register of SVE become the instruction of SVE, longer ones are split.
//
// In: a function for a CPU with dot products (the feature `dotprod`). Instructions in the inner loop of a kernel that
// stores dot(a[i], b[i]) of char4, for Neoverse N1: 37 before, 7 after.
// Tests: tests/passes/6_host/dot_products.ll, dot_products.cl

#include "compiler/passes/passes.hpp"

#include "compiler/passes/preserved.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned products_per_element = 4, bits_of_register = 128, most_leaves = 256;

/// An element of a vector. The vector is null if the element is poison.
struct Element {
  Value* vector = nullptr;
  int index = 0;
};

/// Element `index` of a vector, as an element of the vector that shuffles took it from.
Element source_of(Value* vector, int index) {
  while (auto* shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
    const int from = shuffle->getMaskValue(unsigned(index));
    const int count = int(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
    if (from < 0) return {};
    vector = shuffle->getOperand(from < count ? 0 : 1);
    index = from < count ? from : from - count;
  }
  return {vector, index};
}

/// A vector of extended bytes: the element that each of its lanes comes from.
struct Factor {
  SmallVector<Element, 16> lanes;
};

std::optional<Factor> factor_of(Value* value, bool has_sign) {
  const unsigned count = cast<FixedVectorType>(value->getType())->getNumElements();
  Factor factor;
  Value *bytes, *byte, *vector;
  std::uint64_t index;
  const auto extended = [&](auto inner) {
    return has_sign ? match(value, m_SExt(inner)) : match(value, m_ZExt(inner));
  };
  if (extended(m_Value(bytes)) && bytes->getType()->getScalarType()->isIntegerTy(8)) {
    for (unsigned lane = 0; lane < count; ++lane)
      factor.lanes.push_back(source_of(bytes, int(lane)));
  } else if (Value* scalar = getSplatValue(value);
             scalar &&
             (has_sign ? match(scalar, m_SExt(m_Value(byte))) : match(scalar, m_ZExt(m_Value(byte)))) &&
             byte->getType()->isIntegerTy(8) &&
             match(byte, m_ExtractElt(m_Value(vector), m_ConstantInt(index)))) {
    factor.lanes.assign(count, source_of(vector, int(index)));
  }
  if (factor.lanes.empty() || any_of(factor.lanes, [](const Element& e) { return !e.vector; }))
    return std::nullopt;
  return factor;
}

struct Product {
  Factor left, right;
};

/// The product of bytes that both have a sign, or both have none.
std::optional<Product> product_of(Value* value, bool has_sign) {
  Value *left, *right;
  if (!match(value, m_OneUse(m_Mul(m_Value(left), m_Value(right))))) return std::nullopt;
  auto a = factor_of(left, has_sign), b = factor_of(right, has_sign);
  if (!a || !b) return std::nullopt;
  return Product{std::move(*a), std::move(*b)};
}

class SumOfProducts {
public:
  explicit SumOfProducts(BinaryOperator& sum)
      : sum_(sum), build_(&sum), lanes_(cast<FixedVectorType>(sum.getType())->getNumElements()) {}

  /// The sum with dot products in it; null if there are none.
  Value* rewritten(unsigned sve_bits) {
    collect_leaves();
    if (leaves_.size() < products_per_element) return nullptr;
    Value* dots = nullptr;
    for (const bool has_sign : {true, false})
      while (take_group(has_sign, dots, sve_bits)) {
      }
    if (!dots) return nullptr;
    for (Value* leaf : leaves_)
      if (leaf) dots = build_.CreateAdd(dots, leaf);
    return dots;
  }

private:
  /// Finds the terms of the sum. If there are too many, leaves_ is empty.
  void collect_leaves() {
    SmallVector<Value*, 16> pending{&sum_};
    while (!pending.empty()) {
      Value* value = pending.pop_back_val();
      auto* add = dyn_cast<BinaryOperator>(value);
      const bool is_inner = add && add->getOpcode() == Instruction::Add &&
                            (add == &sum_ || (add->hasOneUse() && add->getParent() == sum_.getParent()));
      if (is_inner)
        pending.append({add->getOperand(1), add->getOperand(0)});
      else
        leaves_.push_back(value);
      if (pending.size() + leaves_.size() > most_leaves) return leaves_.clear();
    }
  }

  /// Replaces four products of the same two vectors by a dot product. @returns whether there were any
  bool take_group(bool has_sign, Value*& dots, unsigned sve_bits) {
    MapVector<std::pair<Value*, Value*>, SmallVector<std::pair<unsigned, Product>, 8>> groups;
    for (const auto& [place, leaf] : enumerate(leaves_)) {
      auto product = leaf ? product_of(leaf, has_sign) : std::nullopt;
      if (!product) continue;
      Value *left = product->left.lanes[0].vector, *right = product->right.lanes[0].vector;
      if (groups.contains({right, left}) && left != right) {
        std::swap(product->left, product->right);
        std::swap(left, right);
      }
      groups[{left, right}].emplace_back(unsigned(place), std::move(*product));
    }
    for (auto& [vectors, products] : groups) {
      if (products.size() < products_per_element) continue;
      sort(products, [](const auto& a, const auto& b) {
        return std::pair(a.second.left.lanes[0].index, a.first) <
               std::pair(b.second.left.lanes[0].index, b.first);
      });
      const auto four = ArrayRef(products).take_front(products_per_element);
      Value* left = bytes(four, &Product::left);
      Value* right = left ? bytes(four, &Product::right) : nullptr;
      if (!right) continue;
      Value* start = dots ? dots : first_other_leaf();
      dots = dot(start ? start : Constant::getNullValue(sum_.getType()), left, right, has_sign, sve_bits);
      for (const auto& product : four)
        leaves_[product.first] = nullptr;
      return true;
    }
    return false;
  }

  /// Removes a term that is not a product from leaves_, so that dot products can be added to it. @returns null if there
  /// is none
  Value* first_other_leaf() {
    for (Value*& leaf : leaves_)
      if (leaf && !product_of(leaf, true) && !product_of(leaf, false)) return std::exchange(leaf, nullptr);
    return nullptr;
  }

  /// A vector of the bytes of four factors, with the four bytes of each lane next to each other. Null if the bytes come
  /// from more than one vector.
  Value* bytes(ArrayRef<std::pair<unsigned, Product>> four, Factor Product::* side) {
    Value* vector = (four[0].second.*side).lanes[0].vector;
    SmallVector<int, 64> mask;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      for (const auto& product : four) {
        const Element& element = (product.second.*side).lanes[lane];
        if (element.vector != vector) return nullptr;
        mask.push_back(element.index);
      }
    const unsigned count = cast<FixedVectorType>(vector->getType())->getNumElements();
    const bool is_repeated = count == products_per_element && all_of(enumerate(mask), [](const auto& at) {
                               return at.value() == int(at.index() % products_per_element);
                             });
    if (is_repeated) { // a 32-bit element for each lane, for which there is an instruction
      Value* word = build_.CreateBitCast(vector, build_.getInt32Ty());
      return build_.CreateBitCast(build_.CreateVectorSplat(lanes_, word),
                                  FixedVectorType::get(build_.getInt8Ty(), unsigned(mask.size())));
    }
    if (ShuffleVectorInst::isIdentityMask(mask, int(count)) && mask.size() == count) return vector;
    return build_.CreateShuffleVector(vector, mask);
  }

  static SmallVector<int, 64> numbers(unsigned first, unsigned count) {
    return to_vector<64>(seq(int(first), int(first + count)));
  }

  Value* dot(Value* start, Value* left, Value* right, bool has_sign, unsigned sve_bits) {
    const unsigned bits = lanes_ * 32;
    if (bits == sve_bits) return dot_of_sve(start, left, right, has_sign);
    constexpr unsigned lanes = bits_of_register / 32, bytes = bits_of_register / 8;
    SmallVector<Value*, 16> parts;
    for (unsigned first = 0; first < lanes_; first += lanes) {
      const auto part = [&](Value* value, unsigned at, unsigned count) {
        return lanes_ == lanes ? value : build_.CreateShuffleVector(value, numbers(at, count));
      };
      Value* operands[] = {part(start, first, lanes), part(left, first * 4, bytes),
                           part(right, first * 4, bytes)};
      Value* now =
          build_.CreateIntrinsic(has_sign ? Intrinsic::aarch64_neon_sdot : Intrinsic::aarch64_neon_udot,
                                 {operands[0]->getType(), operands[1]->getType()}, operands);
      parts.push_back(now);
    }
    return concatenateVectors(build_, parts);
  }

  Value* dot_of_sve(Value* start, Value* left, Value* right, bool has_sign) {
    Type* words = ScalableVectorType::get(build_.getInt32Ty(), 4);
    Type* bytes = ScalableVectorType::get(build_.getInt8Ty(), 16);
    const auto scalable = [&](Value* value, Type* type) {
      return build_.CreateInsertVector(type, PoisonValue::get(type), value, std::uint64_t(0));
    };
    Value* now =
        build_.CreateIntrinsic(has_sign ? Intrinsic::aarch64_sve_sdot : Intrinsic::aarch64_sve_udot, {words},
                               {scalable(start, words), scalable(left, bytes), scalable(right, bytes)});
    return build_.CreateExtractVector(sum_.getType(), now, std::uint64_t(0));
  }

  BinaryOperator& sum_;
  IRBuilder<> build_;
  unsigned lanes_;
  SmallVector<Value*, 16> leaves_; ///< the sum's terms; null if a dot product contains the term
};

bool is_sum(const Instruction& instruction) {
  const auto* type = dyn_cast<FixedVectorType>(instruction.getType());
  return instruction.getOpcode() == Instruction::Add && type && type->getElementType()->isIntegerTy(32) &&
         type->getNumElements() % (bits_of_register / 32) == 0;
}

/// Whether the sum is an operand of another sum, so that collect_leaves() of the other sum finds its terms.
bool is_part_of_sum(const Instruction& sum) {
  return sum.hasOneUse() && is_sum(*cast<Instruction>(sum.user_back())) &&
         sum.user_back()->getParent() == sum.getParent();
}

} // namespace

PreservedAnalyses dot_products_pass(Function& function, FunctionAnalysisManager&) {
  const Attribute range = function.getFnAttribute(Attribute::VScaleRange);
  const unsigned sve_bits = range.isValid() ? range.getVScaleRangeMin() * bits_of_register : 0;
  SmallVector<WeakVH, 8> sums;
  for (Instruction& instruction : instructions(function))
    if (is_sum(instruction) && !is_part_of_sum(instruction)) sums.emplace_back(&instruction);
  bool changed = false;
  for (const WeakVH& value : sums) {
    auto* sum = cast_or_null<BinaryOperator>(value);
    Value* result = sum ? SumOfProducts(*sum).rewritten(sve_bits) : nullptr;
    if (!result) continue;
    sum->replaceAllUsesWith(result);
    RecursivelyDeleteTriviallyDeadInstructions(sum);
    changed = true;
  }
  return all_but_values(changed);
}

} // namespace hostcl::compiler

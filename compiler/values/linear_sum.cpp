#include "compiler/values/linear_sum.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include <functional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_bits = 64;

std::optional<LinearSum> address_of(const GEPOperator& address, const DataLayout& layout) {
  SmallMapVector<Value*, APInt, 4> indices;
  APInt constant(most_bits, 0);
  if (!address.collectOffset(layout, most_bits, indices, constant)) return std::nullopt;
  // Every operand is a part, also an index of elements without a size, which collectOffset() leaves out.
  for (Value* index : make_filter_range(address.indices(), std::not_fn(IsaPred<ConstantInt>)))
    indices.insert({index, APInt(most_bits, 0)});
  LinearSum sum;
  sum.add(*address.getPointerOperand());
  for (const auto& [index, size] : indices) {
    const bool is_narrow = index->getType()->getScalarSizeInBits() < most_bits;
    sum.add(*index, size.getSExtValue(), is_narrow ? Extension::sign : Extension::none);
  }
  sum.constant = wrapping_sum(sum.constant, constant.getSExtValue());
  return sum;
}

/// Whether the type is that of pointers, or of integers with as many bits.
bool is_whole(const Type* type) {
  return type->isPointerTy() || type->isIntegerTy(most_bits);
}

} // namespace

bool is_number(const Type& type) {
  return type.isPointerTy() || (type.isIntegerTy() && type.getIntegerBitWidth() <= most_bits);
}

LinearSum& LinearSum::add(const Value& part, std::int64_t factor, Extension extension) {
  if (const auto* number = dyn_cast<ConstantInt>(&part); number && number->getBitWidth() <= most_bits) {
    const std::int64_t value = extension == Extension::zero
                                   ? static_cast<std::int64_t>(number->getZExtValue())
                                   : number->getSExtValue();
    constant = wrapping_sum(constant, wrapping_product(value, factor));
  } else {
    parts.push_back({&part, factor, extension});
  }
  return *this;
}

std::optional<LinearSum> linear_sum_of(const Instruction& operation) {
  using namespace PatternMatch;
  if (!is_number(*operation.getType())) return std::nullopt;
  const Value *left = nullptr, *right = nullptr;
  const APInt* number = nullptr;
  LinearSum sum;
  if (match(&operation, m_AddLike(m_Value(left), m_Value(right)))) return sum.add(*left).add(*right);
  if (match(&operation, m_Sub(m_Value(left), m_Value(right)))) return sum.add(*left).add(*right, -1);
  if (match(&operation, m_c_Mul(m_Value(left), m_APInt(number))))
    return sum.add(*left, number->getSExtValue());
  if (match(&operation, m_Shl(m_Value(left), m_APInt(number))) && number->ult(number->getBitWidth()))
    return sum.add(*left, static_cast<std::int64_t>(std::uint64_t{1} << number->getZExtValue()));
  if (match(&operation, m_Not(m_Value(left)))) { // ~a is -a - 1
    sum.constant = -1;
    return sum.add(*left, -1);
  }
  if (const auto* address = dyn_cast<GEPOperator>(&operation))
    return address_of(*address, operation.getDataLayout());
  // A truncation to n bits equals its operand modulo 2^n. The low n bits of a linear operand depend only on the low n
  // bits of its own operands. All other casts count only if they keep all bits.
  if (isa<TruncInst, FreezeInst>(operation)) return sum.add(*operation.getOperand(0));
  if (isa<ZExtInst>(operation)) return sum.add(*operation.getOperand(0), 1, Extension::zero);
  if (isa<SExtInst>(operation)) return sum.add(*operation.getOperand(0), 1, Extension::sign);
  if (isa<CastInst>(operation) && is_whole(operation.getType()) &&
      is_whole(operation.getOperand(0)->getType()))
    return sum.add(*operation.getOperand(0));
  return std::nullopt;
}

} // namespace hostcl::compiler

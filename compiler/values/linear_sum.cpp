#include "compiler/values/linear_sum.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_bits = 64;

bool is_number(const Type* type) {
  return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= most_bits);
}

void add(LinearSum& sum, const Value& part, std::int64_t factor, Extension extension = Extension::none) {
  if (const auto* number = dyn_cast<ConstantInt>(&part); number && number->getBitWidth() <= most_bits) {
    const std::int64_t value = extension == Extension::zero
                                   ? static_cast<std::int64_t>(number->getZExtValue())
                                   : number->getSExtValue();
    sum.constant = wrapping_sum(sum.constant, wrapping_product(value, factor));
  } else {
    sum.parts.push_back({&part, factor, extension});
  }
}

LinearSum scaled(const Value& value, std::int64_t factor) {
  LinearSum sum;
  add(sum, value, factor);
  return sum;
}

LinearSum sum_of_both(const Instruction& operation, std::int64_t second_factor = 1) {
  LinearSum sum = scaled(*operation.getOperand(0), 1);
  add(sum, *operation.getOperand(1), second_factor);
  return sum;
}

std::optional<LinearSum> product_of(const Instruction& operation) {
  for (unsigned side : {1u, 0u})
    if (const auto* factor = dyn_cast<ConstantInt>(operation.getOperand(side)))
      return scaled(*operation.getOperand(1 - side), factor->getSExtValue());
  return std::nullopt;
}

std::optional<LinearSum> shifted(const Instruction& operation) {
  const auto* amount = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (!amount || amount->getValue().uge(operation.getType()->getIntegerBitWidth())) return std::nullopt;
  return scaled(*operation.getOperand(0),
                static_cast<std::int64_t>(std::uint64_t{1} << amount->getZExtValue()));
}

/// ~a is -a - 1.
std::optional<LinearSum> complement_of(const Instruction& operation) {
  const auto* mask = dyn_cast<ConstantInt>(operation.getOperand(1));
  if (!mask || !mask->isMinusOne()) return std::nullopt;
  LinearSum sum = scaled(*operation.getOperand(0), -1);
  sum.constant = wrapping_sum(sum.constant, -1);
  return sum;
}

LinearSum extended(const Instruction& operation, Extension extension) {
  LinearSum sum;
  add(sum, *operation.getOperand(0), 1, extension);
  return sum;
}

LinearSum address_of(const GEPOperator& address, const DataLayout& layout) {
  LinearSum sum = scaled(*address.getPointerOperand(), 1);
  for (gep_type_iterator step = gep_type_begin(address), end = gep_type_end(address); step != end; ++step) {
    const Value& index = *step.getOperand();
    if (StructType* record = step.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(cast<ConstantInt>(index).getZExtValue());
      const std::uint64_t offset = layout.getStructLayout(record)->getElementOffset(field).getFixedValue();
      sum.constant = wrapping_sum(sum.constant, static_cast<std::int64_t>(offset));
      continue;
    }
    const std::uint64_t size = step.getSequentialElementStride(layout).getFixedValue();
    const bool is_narrow = index.getType()->getScalarSizeInBits() < most_bits;
    add(sum, index, static_cast<std::int64_t>(size), is_narrow ? Extension::sign : Extension::none);
  }
  return sum;
}

/// Whether the cast is between pointers and integers of 64 bits, so that it keeps all bits.
bool keeps_all_bits(const Instruction& cast) {
  const auto is_whole = [](const Type* type) { return type->isPointerTy() || type->isIntegerTy(most_bits); };
  return is_whole(cast.getType()) && is_whole(cast.getOperand(0)->getType());
}

} // namespace

std::optional<LinearSum> linear_sum_of(const Instruction& operation) {
  if (!is_number(operation.getType())) return std::nullopt;
  switch (operation.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(operation).isDisjoint()) return std::nullopt;
    [[fallthrough]];
  case Instruction::Add:
    return sum_of_both(operation);
  case Instruction::Sub:
    return sum_of_both(operation, -1);
  case Instruction::Mul:
    return product_of(operation);
  case Instruction::Shl:
    return shifted(operation);
  case Instruction::Xor:
    return complement_of(operation);
  // A truncation to n bits equals its operand modulo 2^n. The low n bits of a linear operand depend only on the low n bits
  // of its own operands.
  case Instruction::Trunc:
  case Instruction::Freeze:
    return scaled(*operation.getOperand(0), 1);
  case Instruction::ZExt:
    return extended(operation, Extension::zero);
  case Instruction::SExt:
    return extended(operation, Extension::sign);
  case Instruction::AddrSpaceCast:
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
    if (!keeps_all_bits(operation)) return std::nullopt;
    return scaled(*operation.getOperand(0), 1);
  case Instruction::GetElementPtr:
    return address_of(cast<GEPOperator>(operation), operation.getDataLayout());
  default:
    return std::nullopt;
  }
}

bool moves_in_units(const GEPOperator& address, const DataLayout& layout, std::uint64_t unit) {
  const auto is_multiple = [&](std::int64_t bytes) { return static_cast<std::uint64_t>(bytes) % unit == 0; };
  const LinearSum sum = address_of(address, layout);
  return is_multiple(sum.constant) &&
         all_of(drop_begin(sum.parts), [&](const LinearPart& part) { return is_multiple(part.factor); });
}

} // namespace hostcl::compiler

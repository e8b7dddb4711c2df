#include "compiler/values/addresses.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/values/linear_forms.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned depth_limit = 8;
constexpr std::uint64_t largest_id = (std::uint64_t{1} << 31) - 1;

std::uint64_t bound_of_query(const Value& value, bool ids_fit) {
  auto kind = called_intrinsic(value);
  if (!kind) return Addresses::unbounded;
  const auto if_ids_fit = [&](std::uint64_t bound) {
    return ids_fit && dimension_of(cast<CallBase>(value)) == 0 ? bound : Addresses::unbounded;
  };
  switch (*kind) {
  case Intrinsic::local_id:
  case Intrinsic::sub_group_lane:
    return abi::max_group_items - 1;
  case Intrinsic::local_size:
  case Intrinsic::enqueued_local_size:
  case Intrinsic::sub_group_width:
    return abi::max_group_items;
  case Intrinsic::group_id:
  case Intrinsic::global_offset:
    return if_ids_fit(largest_id);
  case Intrinsic::group_count:
  case Intrinsic::global_size:
    return if_ids_fit(largest_id + 1);
  default:
    return Addresses::unbounded;
  }
}

std::uint64_t all_ones(const Value& value) {
  return maxUIntN(value.getType()->getIntegerBitWidth());
}

} // namespace

std::optional<unsigned> start_of_group(const Value& value) {
  const auto* product = dyn_cast<BinaryOperator>(&value);
  if (!product || product->getOpcode() != Instruction::Mul) return std::nullopt;
  const Value *group = product->getOperand(0), *size = product->getOperand(1);
  if (!is_call_of(*group, Intrinsic::group_id)) std::swap(group, size);
  if (!is_call_of(*group, Intrinsic::group_id) ||
      (!is_call_of(*size, Intrinsic::local_size) && !is_call_of(*size, Intrinsic::enqueued_local_size)))
    return std::nullopt;
  const unsigned dimension = dimension_of(cast<CallBase>(*group));
  return dimension == dimension_of(cast<CallBase>(*size)) ? std::optional(dimension) : std::nullopt;
}

bool is_global_id(const Value& value) {
  SmallVector<const Value*, 8> open{&value};
  std::optional<unsigned> start, local, offset;
  while (!open.empty()) {
    const Value* term = open.pop_back_val();
    if (auto dimension = start_of_group(*term); dimension && !start) {
      start = dimension;
    } else if (is_call_of(*term, Intrinsic::local_id) && !local) {
      local = dimension_of(cast<CallBase>(*term));
    } else if (is_call_of(*term, Intrinsic::global_offset) && !offset) {
      offset = dimension_of(cast<CallBase>(*term));
    } else {
      const auto* operation = dyn_cast<Instruction>(term);
      const auto sum = operation && open.size() < 4 ? linear_sum_of(*operation) : std::nullopt;
      if (!sum || sum->constant != 0) return false;
      for (const LinearPart& part : sum->parts) {
        if (part.factor != 1 || part.extension != Extension::none) return false;
        open.push_back(part.value);
      }
    }
  }
  return start && local == start && (!offset || offset == start);
}

bool is_divergent(const Value& address, const Function& kernel) {
  LinearForms forms(nullptr, Wrapping::ignored);
  const BasicBlock& at = kernel.getEntryBlock();
  unsigned ids = 0, asked_for = 0;
  for (const Term& term : forms.of(address, at).terms) {
    unsigned of_term = 0;
    for (const Value* leaf : term.leaves) {
      const unsigned dependence = forms.of(*leaf, at).dependence() & (on_any_id | on_item);
      if (dependence != 0 && (of_term != 0 || !isa<CallBase>(leaf) || (dependence & on_item))) return false;
      of_term |= dependence;
    }
    if (ids & of_term) return false;
    ids |= of_term;
  }
  for (const Instruction& instruction : instructions(kernel))
    if (is_dimension_query(instruction)) asked_for |= forms.of(instruction, at).dependence() & on_any_id;
  return ids != 0 && ids == asked_for;
}

std::uint64_t Addresses::upper_bound(const Value& value, unsigned depth) const {
  if (!value.getType()->isIntegerTy() || value.getType()->getIntegerBitWidth() > 64) return unbounded;
  if (const auto* constant = dyn_cast<ConstantInt>(&value)) return constant->getZExtValue();
  const bool ids_fit = assumptions_.ids_fit_31_bits;
  if (std::uint64_t bound = bound_of_query(value, ids_fit); bound != unbounded) return bound;
  const std::uint64_t most = all_ones(value);
  if (ids_fit && is_global_id(value)) return std::min(largest_id, most);
  const auto* operation = dyn_cast<Instruction>(&value);
  if (!operation || depth == depth_limit) return most;
  auto bound = [&](unsigned operand) { return upper_bound(*operation->getOperand(operand), depth + 1); };
  if (auto sum = linear_sum_of(*operation)) {
    if (operation->getOpcode() == Instruction::SExt && // sets the upper bits if the operand is negative
        bound(0) > maxUIntN(operation->getOperand(0)->getType()->getIntegerBitWidth() - 1))
      return most;
    std::uint64_t total = static_cast<std::uint64_t>(sum->constant) & most;
    for (const LinearPart& part : sum->parts)
      total = SaturatingMultiplyAdd(upper_bound(*part.value, depth + 1),
                                    static_cast<std::uint64_t>(part.factor) & most, total);
    return std::min(total, most);
  }
  switch (operation->getOpcode()) {
  case Instruction::Mul:
    return std::min(SaturatingMultiply(bound(0), bound(1)), most);
  case Instruction::LShr:
    if (const auto* amount = dyn_cast<ConstantInt>(operation->getOperand(1));
        amount && amount->getZExtValue() < 64)
      return bound(0) >> amount->getZExtValue();
    return bound(0);
  case Instruction::And:
  case Instruction::URem:
    return std::min(bound(0), bound(1));
  case Instruction::Or:
  case Instruction::Xor: {
    const std::uint64_t larger = std::max(bound(0), bound(1));
    return larger == unbounded ? most : std::min(NextPowerOf2(larger) - 1, most);
  }
  case Instruction::UDiv:
    return bound(0);
  default:
    return most;
  }
}

unsigned Addresses::zero_bits_of_first_lane(const Value& value, unsigned depth) const {
  constexpr unsigned all = 64;
  if (const auto* constant = dyn_cast<ConstantInt>(&value))
    return constant->isZero() ? all : constant->getValue().countr_zero();
  if (is_call_of(value, Intrinsic::local_id) && dimension_of(cast<CallBase>(value)) == 0)
    return assumptions_.partial_sub_groups ? 0 : Log2_32(assumptions_.width);
  if (is_call_of(value, Intrinsic::sub_group_lane)) return all;
  const auto* operation = dyn_cast<Instruction>(&value);
  if (!operation || depth == depth_limit) return 0;
  auto zeros = [&](unsigned operand) {
    return zero_bits_of_first_lane(*operation->getOperand(operand), depth + 1);
  };
  auto zeros_of_number = [](std::int64_t number) {
    return static_cast<unsigned>(countr_zero(static_cast<std::uint64_t>(number))); // 64 for 0
  };
  if (auto sum = linear_sum_of(*operation)) {
    unsigned least = zeros_of_number(sum->constant);
    for (const LinearPart& part : sum->parts)
      least = std::min(least, zero_bits_of_first_lane(*part.value, depth + 1) + zeros_of_number(part.factor));
    return least;
  }
  switch (operation->getOpcode()) {
  case Instruction::Or:
  case Instruction::Xor:
    return std::min(zeros(0), zeros(1));
  case Instruction::And:
    return std::max(zeros(0), zeros(1));
  case Instruction::Mul:
    return std::min(all, zeros(0) + zeros(1));
  case Instruction::Shl:
    return zeros(0);
  default:
    return 0;
  }
}

} // namespace hostcl::compiler

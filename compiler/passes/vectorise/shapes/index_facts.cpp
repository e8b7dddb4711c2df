#include "compiler/passes/vectorise/shapes/index_facts.hpp"

#include "compiler/abi/launch.hpp"
#include "compiler/passes/analysis/group_start.hpp"
#include "compiler/passes/intrinsics.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned depth_limit = 8;
constexpr std::uint64_t largest_id = (std::uint64_t{1} << 31) - 1;

std::uint64_t bound_of_query(const Value& value, bool ids_fit) {
  auto kind = called_intrinsic(value);
  if (!kind) return IndexFacts::unbounded;
  const auto if_ids_fit = [&](std::uint64_t bound) {
    return ids_fit && dimension_of(cast<CallBase>(value)) == 0 ? bound : IndexFacts::unbounded;
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
    return IndexFacts::unbounded;
  }
}

std::uint64_t all_ones(const Value& value) {
  return maxUIntN(value.getType()->getIntegerBitWidth());
}

} // namespace

bool is_global_id(const Value& value) {
  SmallVector<const Value*, 8> open{&value};
  const Value *local = nullptr, *offset = nullptr;
  std::optional<unsigned> start;
  while (!open.empty()) {
    const Value* term = open.pop_back_val();
    if (auto dimension = dimension_of_start(*term); dimension && !start) {
      start = dimension;
    } else if (is_call_of(*term, Intrinsic::local_id) && !local) {
      local = term;
    } else if (is_call_of(*term, Intrinsic::global_offset) && !offset) {
      offset = term;
    } else if (const auto* sum = dyn_cast<BinaryOperator>(term);
               sum && sum->getOpcode() == Instruction::Add && open.size() < 4) {
      open.append({sum->getOperand(0), sum->getOperand(1)});
    } else {
      return false;
    }
  }
  auto agrees = [&](const Value* query) { return dimension_of(cast<CallBase>(*query)) == *start; };
  return start && local && agrees(local) && (!offset || agrees(offset));
}

std::uint64_t IndexFacts::upper_bound(const Value& value, unsigned depth) const {
  if (!value.getType()->isIntegerTy() || value.getType()->getIntegerBitWidth() > 64) return unbounded;
  if (const auto* constant = dyn_cast<ConstantInt>(&value)) return constant->getZExtValue();
  if (std::uint64_t bound = bound_of_query(value, ids_fit_31_bits); bound != unbounded) return bound;
  if (ids_fit_31_bits && is_global_id(value)) return largest_id;
  const auto* operation = dyn_cast<Operator>(&value);
  if (!operation || depth == depth_limit || operation->getNumOperands() == 0) return all_ones(value);
  auto bound = [&](unsigned operand) { return upper_bound(*operation->getOperand(operand), depth + 1); };
  auto fitting = [&](std::uint64_t result) { return std::min(result, all_ones(value)); };
  switch (operation->getOpcode()) {
  case Instruction::Add:
    return fitting(SaturatingAdd(bound(0), bound(1)));
  case Instruction::Mul:
    return fitting(SaturatingMultiply(bound(0), bound(1)));
  case Instruction::Shl:
    if (const auto* amount = dyn_cast<ConstantInt>(operation->getOperand(1));
        amount && amount->getZExtValue() < 64)
      return fitting(SaturatingMultiply(bound(0), std::uint64_t{1} << amount->getZExtValue()));
    return all_ones(value);
  case Instruction::LShr:
    if (const auto* amount = dyn_cast<ConstantInt>(operation->getOperand(1));
        amount && amount->getZExtValue() < 64)
      return bound(0) >> amount->getZExtValue();
    return bound(0);
  case Instruction::And:
    return std::min(bound(0), bound(1));
  case Instruction::Or:
    // Becomes a sum, whose operands may have bits in common in lanes that are not active.
    if (const auto* sum = dyn_cast<PossiblyDisjointInst>(operation); sum && sum->isDisjoint())
      return fitting(SaturatingAdd(bound(0), bound(1)));
    [[fallthrough]];
  case Instruction::Xor: {
    std::uint64_t most = std::max(bound(0), bound(1));
    return most == unbounded ? most : fitting(NextPowerOf2(most) - 1);
  }
  case Instruction::URem:
    return std::min(bound(0), bound(1));
  case Instruction::UDiv:
  case Instruction::ZExt:
  case Instruction::Freeze:
    return bound(0);
  case Instruction::Trunc:
    return fitting(bound(0));
  default:
    return all_ones(value);
  }
}

unsigned IndexFacts::zero_bits_of_first_lane(const Value& value, unsigned depth) const {
  if (const auto* constant = dyn_cast<ConstantInt>(&value))
    return constant->isZero() ? 64 : constant->getValue().countr_zero();
  if (is_call_of(value, Intrinsic::local_id) && dimension_of(cast<CallBase>(value)) == 0)
    return split_rows ? 0 : Log2_32(width);
  if (is_call_of(value, Intrinsic::sub_group_lane)) return 64;
  const auto* operation = dyn_cast<Operator>(&value);
  if (!operation || depth == depth_limit || operation->getNumOperands() == 0) return 0;
  auto zeros = [&](unsigned operand) {
    return zero_bits_of_first_lane(*operation->getOperand(operand), depth + 1);
  };
  switch (operation->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or:
  case Instruction::Xor:
    return std::min(zeros(0), zeros(1));
  case Instruction::And:
    return std::max(zeros(0), zeros(1));
  case Instruction::Mul:
    return std::min(64u, zeros(0) + zeros(1));
  case Instruction::Shl:
    if (const auto* amount = dyn_cast<ConstantInt>(operation->getOperand(1)))
      return std::min<std::uint64_t>(64, zeros(0) + amount->getLimitedValue(64));
    return zeros(0);
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
    return zeros(0);
  default:
    return 0;
  }
}

} // namespace hostcl::compiler

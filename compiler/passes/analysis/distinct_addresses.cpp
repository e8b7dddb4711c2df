#include "compiler/passes/analysis/distinct_addresses.hpp"

#include "compiler/passes/intrinsics.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned most_depth = 8;

/// A bit for the local and one for the group id of each dimension.
using Ids = unsigned;

/// The id that a work-item query returns, or no id if the query is uniform.
std::optional<Ids> ids_of_query(const Value& value) {
  const auto intrinsic = called_intrinsic(value);
  if (intrinsic == Intrinsic::work_dim) return 0;
  if (!is_dimension_query(value)) return std::nullopt;
  const unsigned dimension = dimension_of(cast<CallBase>(value));
  if (intrinsic == Intrinsic::local_id) return 1U << (2 * dimension);
  if (intrinsic == Intrinsic::group_id) return 2U << (2 * dimension);
  return 0;
}

std::optional<Ids> ids_of_sum(const Value& value, unsigned depth = most_depth);

/// Ids in a sum, each in one operand only.
std::optional<Ids> ids_of_terms(const User& sum, unsigned depth) {
  Ids all = 0;
  for (const Value* term : sum.operands()) {
    const auto ids = ids_of_sum(*term, depth);
    if (!ids || (all & *ids)) return std::nullopt;
    all |= *ids;
  }
  return all;
}

/// Ids in a product whose other factor is uniform.
std::optional<Ids> ids_of_product(const Instruction& product, unsigned depth) {
  const auto first = ids_of_sum(*product.getOperand(0), depth),
             second = ids_of_sum(*product.getOperand(1), depth);
  if (!first || !second || (*first && *second)) return std::nullopt;
  return *first | *second;
}

/// The ids that `value` is a sum of, or nothing if it is something else.
std::optional<Ids> ids_of_sum(const Value& value, unsigned depth) {
  if (isa<Constant>(value) || isa<Argument>(value)) return 0;
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction || depth == 0) return std::nullopt;
  switch (instruction->getOpcode()) {
  case Instruction::Call:
    return ids_of_query(value);
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Freeze:
    return ids_of_sum(*instruction->getOperand(0), depth - 1);
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(instruction)->isDisjoint()) return std::nullopt;
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::GetElementPtr:
    return ids_of_terms(*instruction, depth - 1);
  case Instruction::Mul:
  case Instruction::Shl:
    return ids_of_product(*instruction, depth - 1);
  default:
    return std::nullopt;
  }
}

Ids ids_asked_for(const Function& kernel) {
  Ids all = 0;
  for (const Instruction& instruction : instructions(kernel))
    all |= ids_of_query(instruction).value_or(0);
  return all;
}

} // namespace

bool differs_between_work_items(const Value& address, const Function& kernel) {
  const auto ids = ids_of_sum(address);
  return ids && *ids != 0 && *ids == ids_asked_for(kernel);
}

} // namespace hostcl::compiler

#include "compiler/values/group_visibility.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/values/addresses.hpp"
#include "compiler/values/linear_sum.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <array>
#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool touches_local_memory(const Instruction& instruction) {
  auto is_local = [](const Type* type) {
    return type->isPointerTy() && type->getPointerAddressSpace() == local_space;
  };
  return is_local(instruction.getType()) ||
         any_of(instruction.operands(), [&](const Use& use) { return is_local(use->getType()); });
}

/// For each dimension: the factor of the group's start in a value, minus the factor of the local id.
using Excess = std::array<std::uint64_t, 3>;
constexpr Excess no_excess{};

class Visibility {
public:
  explicit Visibility(Launches launches) : launches_(launches) {}

  /// Whether the instruction shows the group. Must have been called for the operands before, except those of phis; phis
  /// are checked at the end.
  bool shows(const Instruction& instruction) {
    if (asks_for_group(instruction) || touches_local_memory(instruction)) return true;
    if (isa<PHINode>(instruction)) return false;
    const auto excess = excess_of(instruction);
    if (excess && *excess != no_excess) known_[&instruction] = *excess;
    return !excess;
  }

  bool has_excess(const Value* value) const { return known_.contains(value); }

private:
  /// Whether queries of the dimension can differ between groups.
  bool counts(unsigned dimension) const { return dimension == 0 || launches_ == Launches::of_any_shape; }

  /// If the value is the start of the group, its dimension.
  std::optional<unsigned> start_in(const Value& value) const {
    const auto dimension = start_of_group(value);
    if (!dimension || !counts(*dimension)) return std::nullopt;
    const bool by_enqueued_size = any_of(cast<Instruction>(value).operands(), [](const Use& factor) {
      return is_call_of(*factor, Intrinsic::enqueued_local_size);
    });
    return by_enqueued_size || launches_ == Launches::of_one_dimension ? dimension : std::nullopt;
  }

  bool asks_for_group(const Instruction& instruction) const;
  std::optional<Excess> excess_of(const Instruction& instruction) const;
  std::optional<Excess> excess_of(const LinearSum& sum) const;

  Launches launches_;
  DenseMap<const Value*, Excess> known_; ///< contains only values whose excess is not zero
};

/// Whether the instruction is a query about the group with a use other than computing the start of the group.
bool Visibility::asks_for_group(const Instruction& instruction) const {
  const auto kind = called_intrinsic(instruction);
  if (!kind) return false;
  switch (*kind) {
  case Intrinsic::group_id:
  case Intrinsic::local_size:
  case Intrinsic::enqueued_local_size:
    return counts(dimension_of(cast<CallBase>(instruction))) &&
           !all_of(instruction.users(), [&](const User* user) { return start_in(*user).has_value(); });
  case Intrinsic::local_id:
  case Intrinsic::global_size:
  case Intrinsic::global_offset:
  case Intrinsic::work_dim:
  case Intrinsic::default_queue:
  case Intrinsic::object_low:
  case Intrinsic::object_size:
  case Intrinsic::lane_mask:
    return false;
  default:
    return true;
  }
}

/// @returns nothing if the instruction shows the group
std::optional<Excess> Visibility::excess_of(const Instruction& instruction) const {
  Excess excess = no_excess;
  if (is_call_of(instruction, Intrinsic::local_id)) {
    const unsigned dimension = dimension_of(cast<CallBase>(instruction));
    if (counts(dimension)) excess[dimension] = ~std::uint64_t{0};
    return excess;
  }
  if (const auto dimension = start_in(instruction)) {
    excess[*dimension] = 1;
    return excess;
  }
  if (const auto sum = linear_sum_of(instruction)) return excess_of(*sum);
  if (any_of(instruction.operands(), [&](const Use& operand) { return has_excess(operand.get()); }))
    return std::nullopt;
  return excess;
}

std::optional<Excess> Visibility::excess_of(const LinearSum& sum) const {
  Excess excess = no_excess;
  for (const LinearPart& part : sum.parts) {
    const auto known = known_.find(part.value);
    if (known == known_.end()) continue;
    if (part.extension != Extension::none) return std::nullopt;
    for (unsigned dimension : {0u, 1u, 2u})
      excess[dimension] += known->second[dimension] * static_cast<std::uint64_t>(part.factor);
  }
  return excess;
}

} // namespace

bool sees_groups(const Function& kernel, Launches launches) {
  Visibility visibility(launches);
  for (const BasicBlock* block : ReversePostOrderTraversal<const Function*>(&kernel))
    if (any_of(*block, [&](const Instruction& instruction) { return visibility.shows(instruction); }))
      return true;
  return any_of(instructions(kernel), [&](const Instruction& instruction) {
    return isa<PHINode>(instruction) &&
           any_of(instruction.operands(), [&](const Use& use) { return visibility.has_excess(use.get()); });
  });
}

} // namespace hostcl::compiler

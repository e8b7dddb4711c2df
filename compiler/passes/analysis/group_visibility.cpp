#include "compiler/passes/analysis/group_visibility.hpp"

#include "compiler/passes/analysis/addresses.hpp"
#include "compiler/passes/analysis/linear_sum.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/spaces.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// In a launch of one dimension the queries of the others are constants.
bool is_about_first_dimension(const Instruction& query) {
  return dimension_of(cast<CallBase>(query)) == 0;
}

bool is_start_of_group(const Value& value) {
  return start_of_group(value) == 0U;
}

/// True for queries that only the start of a group may be made of.
bool is_part_of_start(const Instruction& call) {
  return all_of(call.users(), [](const User* user) { return is_start_of_group(*user); });
}

bool touches_local_memory(const Instruction& instruction) {
  auto is_local = [](const Type* type) {
    return type->isPointerTy() && type->getPointerAddressSpace() == local_space;
  };
  return is_local(instruction.getType()) ||
         any_of(instruction.operands(), [&](const Use& use) { return is_local(use->getType()); });
}

/// For each value, how many times it has the start of the group as a term, less how many times the local id.
class Excess {
public:
  /// @returns nothing if the instruction shows a difference
  std::optional<std::uint64_t> of(const Instruction& instruction) {
    if (is_call_of(instruction, Intrinsic::local_id))
      return is_about_first_dimension(instruction) ? ~std::uint64_t{0} : 0;
    if (is_start_of_group(instruction)) return 1;
    if (const auto sum = linear_sum_of(instruction)) return of_sum(*sum);
    for (const Value* operand : instruction.operands())
      if (known_.lookup(operand) != 0) return std::nullopt;
    return 0;
  }

  void note(const Instruction& instruction, std::uint64_t excess) {
    if (excess != 0) known_[&instruction] = excess;
  }

  bool is_in(const Value* value) const { return known_.lookup(value) != 0; }

private:
  std::optional<std::uint64_t> of_sum(const LinearSum& sum) const {
    std::uint64_t excess = 0;
    for (const LinearPart& part : sum.parts) {
      const std::uint64_t of_part = known_.lookup(part.value);
      if (of_part != 0 && part.extension != Extension::none) return std::nullopt;
      excess += of_part * static_cast<std::uint64_t>(part.factor);
    }
    return excess;
  }

  DenseMap<const Value*, std::uint64_t> known_;
};

/// True for queries about the group.
bool asks_for_group(const Instruction& instruction) {
  auto kind = called_intrinsic(instruction);
  if (!kind) return false;
  switch (*kind) {
  case Intrinsic::group_id:
  case Intrinsic::local_size:
  case Intrinsic::enqueued_local_size:
    return is_about_first_dimension(instruction) && !is_part_of_start(instruction);
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

} // namespace

bool sees_groups(const Function& kernel) {
  Excess excess;
  for (const BasicBlock* block : ReversePostOrderTraversal<const Function*>(&kernel))
    for (const Instruction& instruction : *block) {
      if (asks_for_group(instruction) || touches_local_memory(instruction)) return true;
      if (isa<PHINode>(instruction)) continue;
      auto found = excess.of(instruction);
      if (!found) return true;
      excess.note(instruction, *found);
    }
  for (const Instruction& instruction : instructions(kernel))
    if (isa<PHINode>(instruction) &&
        any_of(instruction.operands(), [&](const Use& use) { return excess.is_in(use.get()); }))
      return true;
  return false;
}

} // namespace hostcl::compiler

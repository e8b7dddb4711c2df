#include "compiler/passes/analysis/group_visibility.hpp"

#include "compiler/passes/analysis/group_start.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/spaces.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// In a launch of one dimension the queries of the others are constants.
bool is_about_first_dimension(const Instruction& query) {
  return dimension_of(cast<CallBase>(query)) == 0;
}

bool is_start_of_group(const Value& value) {
  return dimension_of_start(value) == 0U;
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
    if (const auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return of_address(*address);
    if (auto sum = of_sum(instruction)) return sum;
    for (const Value* operand : instruction.operands())
      if (known_.lookup(operand) != 0) return std::nullopt;
    return 0;
  }

  void note(const Instruction& instruction, std::uint64_t excess) {
    if (excess != 0) known_[&instruction] = excess;
  }

  bool is_in(const Value* value) const { return known_.lookup(value) != 0; }

private:
  std::optional<std::uint64_t> of_sum(const Instruction& instruction) {
    auto operand = [&](unsigned i) { return known_.lookup(instruction.getOperand(i)); };
    switch (instruction.getOpcode()) {
    case Instruction::Add:
      return operand(0) + operand(1);
    case Instruction::Sub:
      return operand(0) - operand(1);
    case Instruction::Trunc:
    case Instruction::Freeze:
      return operand(0);
    default:
      return std::nullopt;
    }
  }

  std::optional<std::uint64_t> of_address(const GetElementPtrInst& address) {
    const DataLayout& layout = address.getDataLayout();
    std::uint64_t excess = known_.lookup(address.getPointerOperand());
    for (gep_type_iterator step = gep_type_begin(address), end = gep_type_end(address); step != end; ++step) {
      const std::uint64_t of_index = known_.lookup(step.getOperand());
      if (of_index == 0) continue;
      if (!step.getOperand()->getType()->isIntegerTy(64)) return std::nullopt;
      excess += of_index * step.getSequentialElementStride(layout).getFixedValue();
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

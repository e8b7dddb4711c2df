#include "compiler/values/group_visibility.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

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

/// Whether the instruction calls an intrinsic whose result shows the group, however the result is used. False for ids
/// and sizes of groups and for local ids, because sees_groups() checks their uses.
bool asks_for_group(const Instruction& instruction) {
  switch (called_intrinsic(instruction).value_or(Intrinsic::work_dim)) {
  case Intrinsic::group_count:
    return true;
  case Intrinsic::work_dim:
  case Intrinsic::default_queue:
  case Intrinsic::object_low:
  case Intrinsic::object_size:
  case Intrinsic::lane_mask:
  case Intrinsic::coverage_count:
  case Intrinsic::coverage_mark:
    return false;
  default:
    return !is_dimension_query(instruction);
  }
}

} // namespace

bool sees_groups(const Function& kernel, Launches launches) {
  const Groups groups = launches == Launches::of_one_dimension ? Groups{1, true} : Groups{3, false};
  LinearForms forms;
  // Whether an operand shows the group. Operands of a linear instruction may do so: the form of the instruction's
  // result contains them, and is checked where the result is used.
  const auto uses_group = [&](const Instruction& instruction) {
    return forms.of(instruction, *instruction.getParent()).as_leaf() == &instruction &&
           any_of(instruction.operands(),
                  [&](const Use& operand) { return !forms.in_global_ids(forms.of(operand), groups); });
  };
  // Phis are checked at the end, because their operands need not precede them. So the forms of operands are computed
  // before the forms of their users: a form of a deep expression that is computed from its end would be less exact.
  for (const BasicBlock* block : ReversePostOrderTraversal<const Function*>(&kernel))
    for (const Instruction& instruction : *block)
      if (asks_for_group(instruction) || touches_local_memory(instruction) ||
          (!isa<PHINode>(instruction) && uses_group(instruction)))
        return true;
  return any_of(instructions(kernel), [&](const Instruction& instruction) {
    return isa<PHINode>(instruction) && uses_group(instruction);
  });
}

} // namespace hostcl::compiler

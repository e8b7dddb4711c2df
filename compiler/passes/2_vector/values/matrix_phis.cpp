#include "compiler/passes/2_vector/values/matrix_phis.hpp"

#include "compiler/ir/matrices.hpp"
#include "compiler/ir/sub_group_operation.hpp"
#include "compiler/passes/2_vector/shapes/shapes.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hostcl::compiler {

using namespace llvm;

bool share_matrix_phis(Function& function, const Shapes& shapes) {
  if (!has_matrices(function)) return false;
  SmallVector<PHINode*> phis;
  SmallVector<SelectInst*> selects;
  for (Instruction& instruction : instructions(function)) {
    if (!is_matrix(*instruction.getType()) || !shapes.of(&instruction).is_varying()) continue;
    if (auto* phi = dyn_cast<PHINode>(&instruction)) phis.push_back(phi);
    if (auto* select = dyn_cast<SelectInst>(&instruction)) selects.push_back(select);
  }
  for (SelectInst* select : selects) {
    IRBuilder<> build(select);
    select->setCondition(of_first_lane(build, select->getCondition()));
  }
  for (PHINode* phi : phis) {
    AllocaInst* variable = DemotePHIToStack(phi);
    for (User* user : make_early_inc_range(variable->users())) {
      IRBuilder<> build(cast<Instruction>(user));
      user->replaceUsesOfWith(variable, of_first_lane(build, variable));
    }
  }
  return !phis.empty() || !selects.empty();
}

} // namespace hostcl::compiler

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
  for (Instruction& instruction : instructions(function))
    if (auto* phi = dyn_cast<PHINode>(&instruction);
        phi && is_matrix(*phi->getType()) && shapes.of(phi).is_varying())
      phis.push_back(phi);
  for (PHINode* phi : phis) {
    AllocaInst* variable = DemotePHIToStack(phi);
    for (User* user : make_early_inc_range(variable->users())) {
      IRBuilder<> build(cast<Instruction>(user));
      user->replaceUsesOfWith(variable, of_first_lane(build, variable));
    }
  }
  return !phis.empty();
}

} // namespace hostcl::compiler

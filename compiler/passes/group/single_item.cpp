#include "compiler/passes/group/single_item.hpp"

#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/kernel_shape.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace hostcl::compiler {

using namespace llvm;

PreservedAnalyses SingleItemPass::run(Function& function, FunctionAnalysisManager&) {
  if (!is_kernel_body(function) || !kernel_shape(function).single_item) return PreservedAnalyses::all();
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto intrinsic = called_intrinsic(instruction);
    if (intrinsic == Intrinsic::local_id)
      instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), 0));
    else if (intrinsic == Intrinsic::local_size || intrinsic == Intrinsic::enqueued_local_size)
      instruction.replaceAllUsesWith(ConstantInt::get(instruction.getType(), 1));
    else if (intrinsic != Intrinsic::barrier)
      continue;
    instruction.eraseFromParent();
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace hostcl::compiler

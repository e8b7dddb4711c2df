#include "compiler/passes/group/vector_dimension.hpp"

#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/kernel_shape.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

PreservedAnalyses VectorDimensionPass::run(Function& function, FunctionAnalysisManager&) {
  const KernelShape shape = kernel_shape(function);
  if (!is_kernel_body(function) || shape.vector_dimension == 0) return PreservedAnalyses::all();
  for (Instruction& instruction : instructions(function)) {
    if (!is_dimension_query(instruction)) continue;
    auto& query = cast<CallBase>(instruction);
    Type* number = query.getArgOperand(0)->getType();
    query.setArgOperand(0, ConstantInt::get(number, shape.renamed(dimension_of(query))));
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace hostcl::compiler

#pragma once

// Loops that step far with each iteration ask for what they read some iterations later:
//
//   for (k = 0; k < count; ++k)                      for (k = 0; k < count; ++k)
//     j = load <16 x i32> list + k * n            =>   prefetch list + (k + 8) * n
//                                                      j = load <16 x i32> list + k * n
//
// Lanes that read side by side leave a row of memory for the next one with each iteration, as kernels do that were laid
// out for GPUs. Processors foresee steps within a page only, so that each row is waited for. A step is far if it is not
// known, or a constant of a quarter of a page or more. Addresses may lie past the end of what they point into, which no
// prefetch minds.
//
// Gains on a Sapphire Rapids Xeon, one thread: forces of listed neighbours 1.6, a naive product of matrices 1.1, Aᵀ·(A·x)
// 1.1.
//
// In: a kernel with the loops around it, before the code generator. Test: tests/passes/codegen/far_rows.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct FarRowsPass : llvm::PassInfoMixin<FarRowsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Short loops whose number of rounds is known become straight code before the kernel is vectorised, so that
//
//   float sum[4];                                              %sum0 = phi float ...
//   for (int i = 0; i < 4; ++i) sum[i] += a * b[i];      =>    %sum1 = phi float ...
//
// private arrays live in registers, and what does not depend on a loop around leaves it. How much code a loop
// may become is LLVM's decision, and `#pragma unroll` counts. Loops that have several ways out stay: their
// lanes may part, and each round would end with a test of its own. So do loops with barriers: each is a
// region of the work-group.
//
// In: a kernel in SSA form. Tests: tests/passes/unroll_loops.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct UnrollLoopsPass : llvm::PassInfoMixin<UnrollLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Short loops with a known number of iterations become straight-line code before vectorisation, so that
//
//   float sum[4];                                              %sum0 = phi float ...
//   for (int i = 0; i < 4; ++i) sum[i] += a * b[i];      =>    %sum1 = phi float ...
//
// private arrays live in registers, and invariants of an outer loop leave it. LLVM decides how much code a
// loop may become, and honours `#pragma unroll`. Loops that have several exits stay: their lanes may diverge,
// and each iteration would end with a test of its own. So do loops with barriers: each is a region of the
// work-group.
//
// Gains on an Emerald Rapids Xeon: a median of 3 × 3 bytes 3.4, boxes of 3 × 3 1.4 to 2.0, sgemm_tiled 1.4 times as
// fast; sums over nine neighbours whose index has bounds lose up to 3 times.
//
// In: a kernel in SSA form. Tests: tests/passes/prepare/unroll_loops*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct UnrollLoopsPass : llvm::PassInfoMixin<UnrollLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

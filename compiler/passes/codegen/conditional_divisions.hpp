#pragma once

// Works around a bug of LLVM 22's loop vectoriser: disables vectorisation of loops with an integer division that is
// executed under a condition. If such a division is part of an address that is loop-invariant, the vectoriser guards it
// by the condition of the first of the iterations that it joins; the other iterations then read from an invalid
// address:
//
//   for (i...) if (a[i] < 1) b[i] = table[100 % n];
//
// In: kernels that were not vectorised, loops in simplified form. Out: such loops have the metadata
// llvm.loop.vectorize.enable = 0.
// Tests: tests/passes/codegen/conditional_divisions*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct ConditionalDivisionsPass : llvm::PassInfoMixin<ConditionalDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

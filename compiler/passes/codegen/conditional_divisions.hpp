#pragma once

// Keeps LLVM's loop vectoriser away from loops with an integer division that only some iterations reach.
// Where such a division takes part in an address that is the same in all iterations, LLVM (22) predicates it
// by the first of the iterations that it joins, and the others read from an invalid address:
//
//   for (i...) if (a[i] < 1) b[i] = table[100 % n];
//
// In: the scalar form, loops in simplified form. Out: such loops are marked, see llvm.loop.vectorize.enable.
// Tests: tests/passes/codegen/conditional_divisions*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct ConditionalDivisionsPass : llvm::PassInfoMixin<ConditionalDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

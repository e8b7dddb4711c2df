#pragma once

// Works around a bug of LLVM 22's loop vectoriser: removes llvm.loop.parallel_accesses from loops in which accesses of
// the same iteration may overlap. The metadata says that iterations are independent; the vectoriser then computes no
// dependences at all, not even within an iteration, and forms interleaved groups across a store. Here it moves the
// second load above the store:
//
//   long a = p[0]; *(packed long*)((char*)p + 6) = 0; long b = p[1];
//
// Likewise it may move a store below a load. Without the metadata, LLVM computes the dependences and vectorises if they
// allow it.
//
// In: kernels that were not vectorised, loops in simplified form. Out: such loops have no llvm.loop.parallel_accesses.
// Tests: tests/passes/codegen/overlapping_accesses*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct OverlappingAccessesPass : llvm::PassInfoMixin<OverlappingAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Works around a bug of LLVM 22's loop vectoriser: removes llvm.loop.parallel_accesses from an innermost loop if the
// vectoriser could form an interleaved group of two loads (or of two stores) across an access that may alias one of
// them. The metadata says that iterations are independent of each other. The vectoriser then computes no dependences at
// all, not even within an iteration. In this example it moves the second load above the store:
//
//   long a = p[0]; *(packed long*)((char*)p + 6) = 0; long b = p[1];
//
// Likewise the vectoriser may move a store below a load. Without the metadata, LLVM computes the dependences, and
// vectorises the loop if they allow this. Loops with more than 300 loads and stores lose the metadata without analysis.
//
// In: kernels that hostcl's vectoriser left scalar; loops in loop-simplify form. Out: loops in which LLVM's vectoriser
// could form a wrong group have no llvm.loop.parallel_accesses.
// Tests: tests/passes/codegen/overlapping_accesses*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct OverlappingAccessesPass : llvm::PassInfoMixin<OverlappingAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Tells LLVM's loop vectoriser nothing about work-items where the accesses of one item overlap. In a loop whose iterations
// are marked as independent (llvm.loop.parallel_accesses) LLVM (22) computes no dependences at all, so that it
// also forms interleaved groups across a store of the same iteration: the second load here moves above the store,
//
//   long a = p[0]; *(packed long*)((char*)p + 6) = 0; long b = p[1];
//
// and likewise a store below a load. Without the mark it computes the dependences, and vectorises where it may.
//
// In: the scalar form, loops in simplified form. Out: such loops are without their mark.
// Tests: tests/passes/codegen/overlapping_accesses*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct OverlappingAccessesPass : llvm::PassInfoMixin<OverlappingAccessesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

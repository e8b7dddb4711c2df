#pragma once

// Works around a bug of LLVM 22's x86 code generator (fixed in 23: llvm/llvm-project#179489): rewrites masked stores
// with a constant mask of one lane as scalar stores. If the stored vector is a truncation, the code generator stores
// the lane as it was before truncation, over the neighbouring bytes:
//
//   before:  %t = trunc <4 x i32> %v to <4 x i8>
//            masked.store(%t, p, <false, true, false, false>)
//
//   after:   %e = extractelement <4 x i8> %t, 1
//            store i8 %e, p + 1
//
// In: any function, just before code generation. Out: no masked store with a constant mask of one lane whose elements
// are whole bytes.
// Tests: tests/passes/codegen/one_lane_stores*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct OneLaneStoresPass : llvm::PassInfoMixin<OneLaneStoresPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

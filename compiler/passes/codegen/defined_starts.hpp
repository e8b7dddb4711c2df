#pragma once

// Works around a bug of LLVM 22's loop vectoriser: replaces poison and undef as start of a recurrence by 0. A start may
// be poison if the first iteration does not use the recurrence. If iterations select between the recurrence and another
// value, the vectoriser compares the result with the start to find out whether any iteration has selected, so the whole
// result becomes poison:
//
//   before:  %x = phi i32 [ poison, %entry ], [ %next, %loop ]
//            %next = select i1 %c, i32 %m, i32 %x
//   after:   %x = phi i32 [ 0, %entry ], [ %next, %loop ]
//
// In: kernels that were not vectorised, before LLVM's vectorisers. Test: tests/passes/codegen/defined_starts.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct DefinedStartsPass : llvm::PassInfoMixin<DefinedStartsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Gives values that loops carry a start that is a number. What the first iteration does not read may be poison,
// and where iterations choose between such a value and another one, LLVM's loop vectoriser (22) compares the
// result with the start to find out whether any has chosen, which makes poison of all:
//
//   before:  %x = phi i32 [ poison, %entry ], [ %next, %loop ]
//            %next = select i1 %c, i32 %m, i32 %x
//   after:   %x = phi i32 [ 0, %entry ], [ %next, %loop ]
//
// In: the scalar form, before LLVM's vectorisers. Test: tests/passes/codegen/defined_starts.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct DefinedStartsPass : llvm::PassInfoMixin<DefinedStartsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Checks indices against bounds that types alone tell (HOSTCL_CHECK=bounds): of vectors, and of arrays that are members
// of structures. An element out of range is reported and not accessed.
//
//   before:  %x = extractelement <4 x float> %v, i32 %i
//
//   after:   %right = icmp ult i32 %i, 4
//            if not %right a report (findings.hpp)
//            %x = the element at %i, or zero
//
//   before:  %v = getelementptr %S, ptr %s, i32 0, i32 1
//            %e = getelementptr [4 x i32], ptr %v, i64 0, i64 %i
//            store i32 %x, ptr %e
//
//   after:   %right = icmp ult i64 %i, 4
//            if %right then the store, else a report
//
// An array of at most one element at the end of a structure is not checked: it may stand for a longer one (flexible
// array member).
//
// In:  code as the front end made it.
// Test: tests/passes/checks/check_elements.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CheckElementsPass : llvm::PassInfoMixin<CheckElementsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

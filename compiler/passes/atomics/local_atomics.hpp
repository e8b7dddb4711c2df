#pragma once

// Lowers atomics on local memory to ordinary accesses: all work-items of a group run on one thread, and no other thread
// can access the group's local memory. Runs on kernels that were not vectorised, and on vectorised kernels after the
// vectoriser has split atomics into lanes.
//
//   before: %old = atomicrmw add ptr addrspace(3) %cell, i32 1 monotonic
//   after:  %old = load i32, ptr addrspace(3) %cell
//           %sum = add i32 %old, 1
//           store i32 %sum, ptr addrspace(3) %cell
//
// Accesses through generic pointers stay atomic, because their memory may be global. LLVM's LowerAtomic pass does the
// same for a single-threaded program.
//
// Tests: tests/passes/atomics/local_atomics*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct LocalAtomicsPass : llvm::PassInfoMixin<LocalAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

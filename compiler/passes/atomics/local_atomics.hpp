#pragma once

// Atomics on local memory become plain accesses: all work-items of a group run on one thread, and no other
// thread has the address. It runs on the scalar form, or on atomics that the vectoriser has already split
// into lanes.
//
//   before: %old = atomicrmw add ptr addrspace(3) %cell, i32 1 monotonic
//   after:  %old = load i32, ptr addrspace(3) %cell
//           %sum = add i32 %old, 1
//           store i32 %sum, ptr addrspace(3) %cell
//
// Accesses through generic pointers stay atomic: their memory may be global. Tests:
// tests/passes/atomics/local_atomics*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct LocalAtomicsPass : llvm::PassInfoMixin<LocalAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

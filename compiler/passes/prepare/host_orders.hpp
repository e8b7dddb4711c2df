#pragma once

// On x86 a read-modify-write is sequentially consistent whatever order it asks for. Asking for that order
// makes kernels that differ in nothing else the same, so that they share machine code; the optimiser treats
// acquire, release and the stronger orders alike. Relaxed ones stay, because they may be combined.
//
//   before: %old = atomicrmw add ptr %p, i32 1 acquire
//   after:  %old = atomicrmw add ptr %p, i32 1 seq_cst
//
// On other hosts nothing changes. Tests: tests/passes/host_orders.ll.

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct HostOrdersPass : llvm::PassInfoMixin<HostOrdersPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Simplifies kernels for groups of one work-item: local ids are 0, local sizes are 1, and barriers have no effect.
//
//   before:  define spir_kernel void @k(ptr addrspace(1) %p) "hostcl.single_item"="true" {
//              %x = call i64 @__hostcl_local_id(i32 0)
//              call void @__hostcl_barrier(i32 1)
//              ... }
//
//   after:   define spir_kernel void @k(ptr addrspace(1) %p) "hostcl.single_item"="true" {
//              ... with %x = 0 }
//
// In: everything is inlined, and the kernel was not vectorised. Out: `barrier-regions` has nothing left to do.
// Tests: tests/passes/group/single_item*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct SingleItemPass : llvm::PassInfoMixin<SingleItemPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

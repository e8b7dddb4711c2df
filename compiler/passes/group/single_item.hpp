#pragma once

// Groups of one work-item: its local ids are 0, local sizes are 1, and no barrier has another work-item to
// wait for.
//
//   before:  define spir_kernel void @k(ptr addrspace(1) %p) "hostcl.single_item"="true" {
//              %x = call i64 @__hostcl_local_id(i32 0)
//              call void @__hostcl_barrier(i32 1)
//              ... }
//
//   after:   define spir_kernel void @k(ptr addrspace(1) %p) "hostcl.single_item"="true" {
//              ... with %x = 0 }
//
// In: everything is inlined, the kernel is in its scalar form. Out: barrier-regions has nothing left to do.
// Tests: tests/passes/group/single_item*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct SingleItemPass : llvm::PassInfoMixin<SingleItemPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

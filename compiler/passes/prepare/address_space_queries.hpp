#pragma once

// Answers `__hostcl_address_space` (docs/kernel-ir.md): which address space a generic pointer points to. An
// address does not tell at run time, so the answer is computed beside the pointer, from the casts that it
// comes from.
//
//   before: %p = phi ptr addrspace(4) [ %cast_of_local, %a ], [ %cast_of_global, %b ]
//           %s = call i32 @__hostcl_address_space(ptr addrspace(4) %p)
//   after:  %s = phi i32 [ 3, %a ], [ 1, %b ]
//
// Runs after inlining. A generic pointer that was loaded from memory counts as global. Also removes values of
// event type, which clang represents by a type that the host does not have; events carry nothing (async
// copies are done when they return). Tests: tests/passes/prepare/address_space_queries*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct AddressSpaceQueriesPass : llvm::PassInfoMixin<AddressSpaceQueriesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

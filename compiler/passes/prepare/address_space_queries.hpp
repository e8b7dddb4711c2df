#pragma once

// Answers `__hostcl_address_space` (docs/kernel-ir.md): the number of the address space that a generic pointer points
// into. OpenCL C's to_global(), to_local() and to_private() need the number. An address on the host does not tell its
// space at run time. The pass therefore computes the number beside the pointer: it follows the pointer back to the
// casts into the generic space, and builds a phi or a select of numbers for each phi or select of pointers.
//
//   before: %p = phi ptr addrspace(4) [ %cast_of_local, %a ], [ %cast_of_global, %b ]
//           %s = call i32 @__hostcl_address_space(ptr addrspace(4) %p)
//   after:  %s = phi i32 [ 3, %a ], [ 1, %b ]
//
// Runs after inlining, so that the casts are in the same function. A generic pointer whose casts are not visible
// (loaded from memory, or an argument) counts as a pointer to global memory.
//
// The pass also removes values of event type, for which the host has no type. An event carries no information here:
// async copies are complete when they return.
//
// Tests: tests/passes/prepare/address_space_queries*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct AddressSpaceQueriesPass : llvm::PassInfoMixin<AddressSpaceQueriesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

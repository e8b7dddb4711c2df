#pragma once

// Gives a kernel that modifies a structure parameter passed by value (`byval`) a private copy for each work-item. The
// argument block, which holds the structure, is shared by all work-items of a launch, so it must not be written. A
// structure that the kernel only reads stays in the argument block.
//
//   before:  define spir_kernel void @k(ptr byval(%S) align 8 %s) {
//              store i32 1, ptr %s
//   after:     %s.own = alloca %S, align 8
//              call void @llvm.memcpy(ptr %s.own, ptr %s, i64 sizeof(S))
//              store i32 1, ptr %s.own
//
// A function that is still called after inlining loses `byval` and always copies the structure itself. With `byval`,
// the code generator would have every caller copy the structure to the stack, however large it is.
//
// Runs right after inlining, before optimisations of private memory, which may then remove the copy.
//
// Tests: tests/passes/prepare/byval_arguments*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct ByvalArgumentsPass : llvm::PassInfoMixin<ByvalArgumentsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

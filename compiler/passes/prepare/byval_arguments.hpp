#pragma once

// Structures passed by value are the work-item's own: a kernel that modifies one gets a private copy. Those
// that are only read stay where they are, in the argument block. A function that stays a call copies them itself: the
// code generator would have them copied to the stack, however large they are. Runs right after inlining, before
// private memory is optimised.
//
//   before:  define spir_kernel void @k(ptr byval(%S) align 8 %s) {
//              store i32 1, ptr %s
//   after:     %s.own = alloca %S, align 8
//              call void @llvm.memcpy(ptr %s.own, ptr %s, i64 sizeof(S))
//              store i32 1, ptr %s.own
//
// Tests: tests/passes/prepare/byval_arguments*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct ByvalArgumentsPass : llvm::PassInfoMixin<ByvalArgumentsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

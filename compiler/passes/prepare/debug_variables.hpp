#pragma once

// Keeps variables visible to debuggers. In the debug form (`hostcl.debug_form`, docs/kernel-metadata.md), each variable
// stays in the memory of its work-item until the work-item ends, and the pass adds variables for the work-item's ids:
// `__hostcl_global_id`, `__hostcl_local_id` and `__hostcl_group_id`. In all other forms the pass removes the
// descriptions of variables, because the optimised code no longer has them; line numbers remain.
//
//   before:  %x = alloca i32                         after:  %x = alloca i32
//              #dbg_declare(ptr %x, ...)                       #dbg_declare(ptr %x, ...)
//            ret void                                        call void (...) @llvm.fake.use(ptr %x)
//                                                            ret void
//
// The use at the end keeps the variable alive, and its stores become volatile so that none is removed.
//
// A variable that holds a generic pointer gets a copy: each store to the variable also writes a second alloca, and the
// debug record and `llvm.fake.use` name the copy. So mem2reg can still promote the variable to SSA values, which
// `address-space-queries` needs, because this pass does not look through memory. Variables of opaque types (images,
// samplers, events, pipes) and blocks have no debug records. Kernels with sub-group operations, which run as vectors
// also in the debug form, have no debug records of variables.
//
// Tests: tests/passes/prepare/debug_variables.cl, tests/debugger

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct DebugVariablesPass : llvm::PassInfoMixin<DebugVariablesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

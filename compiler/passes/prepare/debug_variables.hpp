#pragma once

// What debuggers are told of variables. In the debug form each variable stays in memory of its work-item until the work-item
// ends, and the ids of the work-item are variables as well: `__hostcl_global_id`, `__hostcl_local_id` and
// `__hostcl_group_id`. In all other forms the code moves too far from the source: variables are optimised out, and
// lines remain.
//
//   before:  %x = alloca i32                         after:  %x = alloca i32
//              #dbg_declare(ptr %x, ...)                       #dbg_declare(ptr %x, ...)
//            ret void                                        call void (...) @llvm.fake.use(ptr %x)
//                                                            ret void
//
// Pointers to the generic address space have a copy in memory instead, because what is known of their space is known of
// values alone. Images, samplers and events have none; kernels that see their vectors, no variables.
//
// Tests: tests/passes/prepare/debug_variables.ll, tests/debugger

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct DebugVariablesPass : llvm::PassInfoMixin<DebugVariablesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Accesses to memory that commands share are told to the host, which compares those of commands that nothing orders
// (HOSTCL_CHECK=commands).
//
//   before:  store float %x, ptr addrspace(1) %p
//
//   after:   call void @__hostcl_command_access(i64 %address, i64 4, i32 1, ptr @site)
//            store float %x, ptr addrspace(1) %p
//
// A compare-exchange is told after it, for one that fails only reads. Told are global memory, pixels, and constant memory
// that is not the program's; generic pointers of unknown space are not.
//
// In:  kernels in SSA form whose calls are inlined, before the vectoriser. Until here they have the attribute
//      sanitize_thread, so that no pass adds an access.
// Tests: tests/passes/checks/check_commands.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CheckCommandsPass : llvm::PassInfoMixin<CheckCommandsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

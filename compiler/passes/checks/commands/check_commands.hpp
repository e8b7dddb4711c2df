#pragma once

// Records accesses to memory that commands share, for HOSTCL_CHECK=commands: the host compares the accesses of commands
// that nothing orders.
//
//   before:  store float %x, ptr addrspace(1) %p
//
//   after:   call void @__hostcl_command_access(i64 %address, i64 4, i32 1, ptr @site)
//            store float %x, ptr addrspace(1) %p
//
// Recorded are accesses to global memory, to pixels, and to constant memory that does not belong to the program; not
// recorded are accesses through generic pointers of unknown address space. A compare-exchange is recorded after it has
// run, because a failed one only reads.
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

#pragma once

// Checks that all work-items of a group reach the same barriers (HOSTCL_CHECK=divergence). At each divergent branch
// that decides whether a barrier is reached, each work-item reports which way it goes. If the work-items diverge, a
// finding is reported, and the group continues as its first work-item does.
//
//   before:  br i1 %c, label %then, label %end             a barrier depends on it, and %c may be divergent
//
//   after:   call void @__hostcl_convergence_arrive(i32 %c, i64 local ids x 3, i64 group ids x 3)
//            call void @__hostcl_barrier(i32 0)
//            %first = call i32 @__hostcl_convergence_result(ptr @site)          reports if the work-items diverge
//            call void @__hostcl_barrier(i32 0)
//            %converged = icmp eq i32 %c, %first
//            br i1 %converged, label %go, label %divergent
//          divergent:                                           work-items that go another way end here
//            ret void
//          go:
//            br i1 (%first != 0), label %then, label %end
//
// Branches on which such a branch is control-dependent are checked as well, and so are branches that end a loop
// around a barrier, or return before one. A branch both successors of which may lead to the barrier is not checked, and neither
// are branches that depend on it: errors there are not found. Uniform branches are not changed.
//
// In:  kernels in SSA form whose calls are inlined, without switches (barrier_cases.hpp has run), before the
//      vectoriser.
// Tests: tests/passes/checks/check_divergence*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CheckDivergencePass : llvm::PassInfoMixin<CheckDivergencePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

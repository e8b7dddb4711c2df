#pragma once

// Checks that all work-items of a group reach the same barriers (HOSTCL_CHECK=divergence). At each divergent branch
// that decides whether a barrier is reached, the kernel compares the work-items' conditions; this is a convergence
// check. If the conditions differ, a finding is reported. Work-items whose condition is that of the first work-item to
// arrive at the check continue, and the others end.
//
//   before:  br i1 %c, label %then, label %end             a barrier depends on it, and %c may be divergent
//
//   after:   %reaches = zext i1 (freeze %c) to i32                              1: goes on to the barrier (a sketch)
//            call void @__hostcl_convergence_arrive(i32 %reaches, i64 local ids x 3, i64 group ids x 3)
//            call void @__hostcl_barrier(i32 0)
//            %first = call i32 @__hostcl_convergence_result(ptr @site)          reports if the work-items diverge
//            call void @__hostcl_barrier(i32 0)
//            %converged = icmp eq i32 %reaches, %first
//            br i1 %converged, label %go, label %divergent
//          divergent:                                           work-items that disagree end here
//            ret void
//          go:
//            br i1 (%first != 0), label %then, label %end
//
// The pass also checks branches on which a checked branch is control-dependent, branches that leave a loop around a
// barrier, and branches that return before a barrier. Two kinds of branches are not checked, and their divergence is
// not found: a branch both successors of which may lead to the barrier, and all branches that are control-dependent on
// such a branch. Uniform branches are not changed.
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

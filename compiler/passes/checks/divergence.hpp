#pragma once

// Barriers that not all work-items of a group reach are reported, and the group goes on as its first work-item does
// (HOSTCL_CHECK=divergence).
//
//   before:  br i1 %c, label %then, label %end             a barrier depends on it, and %c may differ in the group
//
//   after:   call void @__hostcl_vote(i32 %c, i64 local ids x 3, i64 group ids x 3)
//            call void @__hostcl_barrier(i32 0)
//            %first = call i32 @__hostcl_vote_result(ptr @site)          reports if votes differ
//            call void @__hostcl_barrier(i32 0)
//            %agrees = icmp eq i32 %c, %first
//            br i1 %agrees, label %go, label %apart
//          apart:                                           work-items that would go another way end here
//            ret void
//          go:
//            br i1 (%first != 0), label %then, label %end
//
// Branches that decide whether such a branch is reached vote as well. So do those that end a loop around a barrier, and
// those that return in front of one. A branch whose two ways may both lead to the barrier does not vote, nor do branches
// that depend on it: what is wrong there is not found. Branches that are the same for a group for certain are left as they are.
//
// In:  kernels in SSA form whose calls are inlined, without switches (barrier_cases.hpp has been there), before the
//      vectoriser.
// Tests: tests/passes/checks/check_divergence*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CheckDivergencePass : llvm::PassInfoMixin<CheckDivergencePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Accesses outside the object that their pointer was derived from are reported and not performed (HOSTCL_CHECK=bounds).
//
//   before:  store float %x, ptr addrspace(1) %p                 %p: 4 * %i bytes after the parameter %a
//
//   after:   %low = call i64 @__hostcl_object_low(i32 0)
//            %size = call i64 @__hostcl_object_size(i32 0)       both in the first block
//            %offset = mul i64 %i, 4
//            %position = sub i64 %offset, %low
//            %limit = call i64 @llvm.usub.sat.i64(i64 %size, i64 3)
//            %right = icmp ult i64 %position, %limit
//            if %right then the store, else a report (findings.hpp)
//
// Loads, stores, atomics, copies and fills are checked, but for those that are always right because place and size are
// constants or have a known range. What a checked load reads in the wrong place is zero.
//
// In front of all that, the bounds of the offsets are computed that are known when a group begins (intervals.hpp). If all
// accesses are right whose offsets have bounds, the group takes a copy of the kernel in which they are not checked:
//
//            br i1 %all_right, label %body, label %body.checked        after a barrier, so that both have loops of their own
//
// Without this (proven_bounds) sgemm_naive of bench/ takes 15 times as long as without checks instead of 1.1 to 1.7 times,
// stencil 2.8 instead of 1.1 (AMD EPYC, Zen 4).
//
// `certain-bounds` checks accesses to private variables, and reports those to others that are wrong for certain, before
// other passes make use of that: an access after the end of a private array is undefined, and would go. Where values are
// checked for being uninitialised, it checks accesses to local memory as well: their shadows lie among other local memory,
// and are accessed wherever they are.
//
// In:  kernels whose calls are inlined; for `check-bounds`, in SSA form and before the vectoriser.
// Tests: tests/passes/checks/bounds/

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CheckBoundsPass : llvm::PassInfoMixin<CheckBoundsPass> {
  enum class Of { certain, all };
  explicit CheckBoundsPass(Of of) : of(of) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
  const Of of;
};

} // namespace hostcl::compiler

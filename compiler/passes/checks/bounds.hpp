#pragma once

// Checks that accesses stay inside the object from which their pointer was derived (HOSTCL_CHECK=bounds). An access
// outside is reported and not performed; a load gives zero.
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
// Loads, stores, atomics, copies and fills are checked, except those that are proved right because object and offset
// are constants or have a known range.
//
// Most checks are avoided by loop versioning for whole groups: at the group's beginning, the kernel computes the
// intervals of the offsets (intervals.hpp). If all accesses whose offsets have intervals are in bounds for all
// work-items, the group runs a copy of the kernel in which these accesses are not checked:
//
//            br i1 %all_right, label %body, label %body.checked
//
// A barrier precedes the branch, so that both copies have their own loops over the work-items.
//
// Without this (proven_bounds) sgemm_naive of bench/ takes 15 times as long as without checks instead of 1.1 to 1.7
// times, stencil 2.8 instead of 1.1 (AMD EPYC, Zen 4).
//
// There are two passes. `certain-bounds` runs early: it checks accesses to private variables, and reports accesses to
// other memory that are certainly wrong, before other passes make use of undefined behaviour (an access after the end
// of a private array would be removed). If HOSTCL_CHECK also has `uninitialised`, it checks accesses to local memory as
// well: their shadows are in local memory, and are accessed even if the access itself is out of bounds. `check-bounds`
// checks all other accesses.
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

#pragma once

// Checks that accesses stay inside the object from which their pointer was derived (HOSTCL_CHECK=bounds). An access
// outside is reported and not performed; a load gives zero.
//
//   before:  store float %x, ptr addrspace(1) %p                 %p: 4 * %i bytes after the parameter %a
//
//   after:   %low = call i64 @__hostcl_object_low(i32 0)         start of the object, in bytes relative to %a
//            %size = call i64 @__hostcl_object_size(i32 0)       bytes of the object; both in the first block
//            %offset = mul i64 %i, 4
//            %position = sub i64 %offset, %low                   offset in the object
//            %limit = call i64 @llvm.usub.sat.i64(i64 %size, i64 3)
//            %right = icmp ult i64 %position, %limit             whether the access is in bounds
//            if %right then the store, else a report (findings.hpp)
//
// Loads, stores, atomics, copies and fills are checked, except accesses that are proved to be in bounds because object
// and offset are constants or have a known range.
//
// Most checks are avoided by versioning the kernel's body for whole groups: at the group's beginning, the kernel
// computes the intervals of the offsets (intervals.hpp). If all accesses whose offsets have intervals are in bounds for
// all work-items, the group runs the original body, in which these accesses are not checked. Otherwise the group runs a
// copy of the body, in which all accesses are checked:
//
//            br i1 %all_right, label %body, label %body.checked
//
// Barriers before the branch and at the start of both versions make each version a barrier region, with its own loop
// over the work-items. Kernels of more than 10,000 instructions have the checked version only.
//
// Time of kernels of bench/, relative to the same kernel without checks (AMD EPYC, Zen 4): sgemm_naive 1.1 to 1.7 with
// this versioning (heuristic `proven_bounds`), and 15 without this versioning; stencil 1.1 and 2.8.
//
// There are two passes. `certain-bounds` runs early: it checks accesses to private variables, and reports accesses to
// other memory that are certainly wrong, before other passes make use of undefined behaviour (an access after the end
// of a private array would be removed). If HOSTCL_CHECK also names `uninitialised`, `certain-bounds` guards accesses to
// local memory as well. `check-uninitialised` adds an access to the shadow beside each access. The shadow of local
// memory lies in local memory, so an access to the shadow would be out of bounds too, unless the guard covers both.
// `check-bounds` checks all other accesses.
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

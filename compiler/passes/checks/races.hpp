#pragma once

// The race check (HOSTCL_CHECK=races): accesses to global and local memory are recorded in shadow memory and compared
// with the accesses of other work-items; conflicting accesses that nothing orders are reported. Like ThreadSanitizer,
// it finds the races of the executed accesses.
//
//   before:  store float %x, ptr addrspace(1) %p
//
//   after:   %group = call ptr @__hostcl_race_group(i64 group ids x 3)          in the first block
//            %item = shl i64 %linear_local_id, 14                                 likewise
//            %record = or i64 %item, constant                                    compiler/abi/race.hpp
//            %odd = call i1 @hostcl.race.write.global.1(ptr %group, i64 %address, i64 %record)
//            if %odd: call void @__hostcl_race_access(ptr %group, i64 %address, i64 4, i64 %record, i32 %how,
//                                                     ptr %sites)
//            store float %x, ptr addrspace(1) %p
//
//   before:  call void @__hostcl_barrier(i32 1)
//   after:   store i32 1, %group.passed
//            call void @__hostcl_barrier(i32 1)
//            if %group.passed: call void @__hostcl_race_barrier(ptr %group)
//            call void @__hostcl_barrier(i32 0)
//
// The first work-item that continues after the program's barrier calls `__hostcl_race_barrier`, which clears
// %group.passed, so that only one work-item begins the new epoch. The second barrier keeps a fast work-item from
// storing the flags of its next barrier before all work-items have read %group.passed. A barrier without fence flags
// orders no memory, and is not changed.
//
// The functions hostcl.race.* (race_cells.hpp) record ordinary accesses for which they can exclude a race. For all
// others the host callback `__hostcl_race_access` decides, because it knows what atomic operations have ordered:
// `__hostcl_race_order` is called before operations that release, and after operations that acquire. In a kernel with
// fences, a relaxed atomic operation together with a fence may form a release or an acquire, so each atomic operation
// counts as both. A compare-exchange is recorded after it has run, because a failed one only reads.
//
// A plain read of global memory through a parameter through which the kernel does not write is recorded only if the
// parameter's object overlaps an object that the kernel writes through another parameter. The kernel's first block
// computes this condition. If the kernel also writes through pointers that may point to any buffer, all reads are
// recorded.
//
// Accesses between calls of `__hostcl_race_copy_begin` and `__hostcl_race_copy_end` (collectives.hpp) belong to an
// asynchronous copy.
//
// Private and constant memory, and generic pointers of unknown address space, are not recorded.
//
// In:  kernels in SSA form whose calls are inlined, before the vectoriser. Until here they have the attribute
//      sanitize_thread, so that no pass adds an access.
// Tests: tests/passes/checks/races/

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CheckRacesPass : llvm::PassInfoMixin<CheckRacesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

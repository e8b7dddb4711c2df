#pragma once

// Accesses to global and local memory are recorded and compared with those of other work-items; those that nothing
// orders are reported (HOSTCL_CHECK=races).
//
//   before:  store float %x, ptr addrspace(1) %p
//
//   after:   %group = call ptr @__hostcl_race_group(i64 group ids x 3)          in the first block
//            %item = shl i64 %linear_local_id, 14                                 likewise
//            %record = or i64 %item, constant                                    race_abi.hpp
//            %odd = call i1 @hostcl.race.write.global.1(ptr %group, i64 %address, i64 %record)
//            if %odd: call void @__hostcl_race_access(ptr %group, i64 %address, i64 4, i64 %record, i32 %how, ptr %sites)
//            store float %x, ptr addrspace(1) %p
//
//   before:  call void @__hostcl_barrier(i32 1)
//   after:   store i32 1, %group.passed
//            call void @__hostcl_barrier(i32 1)
//            if %group.passed: call void @__hostcl_race_barrier(ptr %group)
//            call void @__hostcl_barrier(i32 0)
//
// The functions hostcl.race.* record plain accesses that cannot race; `__hostcl_race_access` records all others, and knows
// what atomic operations have ordered. A compare-exchange is recorded after it, for one that fails only reads. For that, `__hostcl_race_order` stands before those that release, and after
// those that acquire. Where a kernel has fences, any atomic operation may be part of either.
//
// What is read by a parameter by which the kernel does not write is recorded only if its object is one that the kernel writes
// by another parameter, which is known when the group begins.
//
// Accesses between calls of `__hostcl_race_copy_begin` and `__hostcl_race_copy_end` (collectives.hpp) are those of an
// asynchronous copy.
//
// Not recorded are private and constant memory, and generic pointers of unknown space.
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

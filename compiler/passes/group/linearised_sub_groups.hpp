#pragma once

// Linearises sub-groups: in a kernel that requires a sub-group size, the lanes of a sub-group lie along the linear
// local id, across the ends of rows, so that groups such as 6x4 have full sub-groups as well. For later passes such a
// group has a single row, and the kernel computes its local ids from its index in this row:
//
//   before:  %x = call i64 @__hostcl_local_id(i32 0)        ; "hostcl.linearised_sub_groups"="true"
//            %y = call i64 @__hostcl_local_id(i32 1)
//   after:   %item = call i64 @__hostcl_local_id(i32 0)
//            %row = udiv %item, size 0
//            %z = udiv %row, size 1
//            %y = sub %row, (mul %z, size 1)
//            %x = sub %item, (mul (add (mul %z, size 1), %y), size 0)
//
// The linear id that the library computes from these ids folds to %item. `barrier-regions` runs the chunks of this
// single row.
//
// In: dimensions of queries are constants. Tests: tests/passes/group/linearised_sub_groups.ll,
// tests/kernels/groups/required_sub_groups.cpp

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct LinearisedSubGroupsPass : llvm::PassInfoMixin<LinearisedSubGroupsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

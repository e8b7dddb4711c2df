#pragma once

// A kernel that requires sub-groups of a size gets them also in groups whose rows are not a multiple of it, such as 6x4:
// the lanes of a sub-group lie along the linear local id, over the ends of rows. For the passes that follow, such a
// group has one row, and the kernel computes its local ids of its place in it:
//
//   before:  %x = call i64 @__hostcl_local_id(i32 0)        ; "hostcl.joined_rows"="true"
//            %y = call i64 @__hostcl_local_id(i32 1)
//   after:   %item = call i64 @__hostcl_local_id(i32 0)
//            %row = udiv %item, size 0
//            %z = udiv %row, size 1
//            %y = sub %row, (mul %z, size 1)
//            %x = sub %item, (mul (add (mul %z, size 1), %y), size 0)
//
// So the library's linear id folds to %item. barrier-regions runs chunks of the row of all work-items. In: dimensions
// are constants. Tests: tests/passes/group/joined_rows.ll, tests/kernels/groups/required_sub_groups.cpp

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct JoinedRowsPass : llvm::PassInfoMixin<JoinedRowsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

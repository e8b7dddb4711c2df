#pragma once

// Work-items are vectorised along x. In groups of one item along x, such as 1×64, this renames the dimensions
// of all queries of a kernel, so that the first dimension with several items is its x:
//
//   before:  %x = call i64 @__hostcl_local_id(i32 0)        ; "hostcl.vector_dimension"="1"
//            %y = call i64 @__hostcl_local_id(i32 1)
//   after:   %x = call i64 @__hostcl_local_id(i32 1)
//            %y = call i64 @__hostcl_local_id(i32 0)
//
// Lanes are consecutive in the linear local id all the same. kernel-entry gives the queries that are left
// their own names again. In: dimensions are constants. Tests: tests/passes/group/vector_dimension*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct VectorDimensionPass : llvm::PassInfoMixin<VectorDimensionPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

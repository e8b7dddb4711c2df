#pragma once

// Exchanges dimensions, so that groups with a single work-item along x, such as 1×64, can be vectorised. Vectors lie
// along x; the pass renames the dimensions of all queries of the kernel, so that the first dimension with several
// work-items becomes x:
//
//   before:  %x = call i64 @__hostcl_local_id(i32 0)        ; "hostcl.vector_dimension"="1"
//            %y = call i64 @__hostcl_local_id(i32 1)
//   after:   %x = call i64 @__hostcl_local_id(i32 1)
//            %y = call i64 @__hostcl_local_id(i32 0)
//
// Lanes are still consecutive in the linear local id, because x has one work-item. `kernel-entry` renames the remaining
// queries back. In: dimensions of queries are constants. Tests: tests/passes/group/vector_dimension*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct VectorDimensionPass : llvm::PassInfoMixin<VectorDimensionPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Exchanges two dimensions of a kernel, so that the dimension along which lanes are consecutive
// (hostcl.vector_dimension) becomes x, because the vectoriser always works along x. There are two cases. In a group
// with a single work-item along x, such as 1×64, lanes lie along the first dimension with several work-items. In a
// kernel that accesses memory contiguously along y but not along x (vectorise/choose/column_access.hpp), lanes lie
// along y, although groups may have several work-items along x. The pass exchanges the dimensions in all queries of the
// kernel:
//
//   before:  %x = call i64 @__hostcl_local_id(i32 0)        ; "hostcl.vector_dimension"="1"
//            %y = call i64 @__hostcl_local_id(i32 1)
//   after:   %x = call i64 @__hostcl_local_id(i32 1)
//            %y = call i64 @__hostcl_local_id(i32 0)
//
// In the first case lanes are still consecutive in the linear local id, because x has one work-item. In the second case
// they are not, so kernels that use sub-groups never take it. `kernel-entry` exchanges the dimensions of the remaining
// queries back. In: dimensions of queries are constants. Tests: tests/passes/group/vector_dimension*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct VectorDimensionPass : llvm::PassInfoMixin<VectorDimensionPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

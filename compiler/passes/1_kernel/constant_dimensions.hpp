#pragma once

// Replaces a work-item query whose dimension is a variable by a select between queries of constant dimensions. LLVM's
// optimisations merge the queries of several dimensions into one, for instance when they sink calls; all later passes
// expect a constant dimension.
//
//   before:  %id = call i64 @__hostcl_local_id(i32 %d)
//   after:   %x = call i64 @__hostcl_local_id(i32 0)
//            %y = call i64 @__hostcl_local_id(i32 1)
//            %z = call i64 @__hostcl_local_id(i32 2)
//            %id = %d == 0 ? %x : %d == 1 ? %y : %z
//
// Runs last of the passes that simplify. Tests: tests/passes/1_kernel/constant_dimensions*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

/// The body of the pass, for passes that need constant dimensions earlier. @returns whether anything has changed
bool make_dimensions_constant(llvm::Function& function);

} // namespace hostcl::compiler

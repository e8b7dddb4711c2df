#pragma once

// Makes cooperative matrices values that all work-items of a sub-group have in common.

#include "llvm/IR/Module.h"

namespace hostcl::compiler::spirv {

/// Whether objects of the type contain cooperative matrices, in a module that has them.
bool holds_matrix(const llvm::Type* type);

/// Has functions with matrices inlined, and functions that call them, also if the module forbids it: what a call
/// returns would differ between work-items for the vectoriser.
void inline_matrices(llvm::Module& module);

/// Makes all work-items use the first one's variables, for variables of matrices that do not become SSA values: only
/// the first work-item writes components through pointers.
void share_matrix_variables(llvm::Module& module);

} // namespace hostcl::compiler::spirv

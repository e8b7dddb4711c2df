#pragma once

// Makes cooperative matrices values that all work-items of a sub-group have in common.

#include "llvm/IR/Module.h"

namespace hostcl::compiler::spirv {

/// Whether objects of the type contain cooperative matrices, in a module that has them.
bool holds_matrix(const llvm::Type* type);

/// Marks functions with matrices, and functions that call such functions, to be inlined, even if the module forbids
/// inlining. For the vectoriser, the result of a call would differ between work-items.
void inline_matrices(llvm::Module& module);

/// For variables of matrices that do not become SSA values: makes all work-items of a sub-group use the variable of the
/// first work-item, because only the first work-item writes components through pointers.
void share_matrix_variables(llvm::Module& module);

} // namespace hostcl::compiler::spirv

#pragma once

// Vectors whose elements are the components of a matrix, one row after the other: the form of cooperative matrices in
// IR (docs/kernel-ir.md).

#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// The most elements of a vector of OpenCL C and SPIR-V. In a module with cooperative matrices, longer vectors are
/// matrices.
constexpr unsigned longest_vector = 16;

/// Whether the type is the type of a matrix. Only for functions for which has_matrices() is true.
inline bool is_matrix(const llvm::Type& type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  return vector && vector->getNumElements() > longest_vector;
}

/// Whether the function loads or stores cooperative matrices. Such a function contains `__hostcl_sub_group_first_p*`,
/// which gives all lanes the pointer of the first active lane; nothing else uses this operation for pointers.
bool has_matrices(const llvm::Function& function);

/// Transposes each of the matrices that a vector holds one after the other. The number of rows is a power of two.
llvm::Value* transposed(llvm::IRBuilderBase& build, llvm::Value* matrices, unsigned rows, unsigned columns);

} // namespace hostcl::compiler

#pragma once

// Vectors whose elements are the components of a matrix, one row after the other: the form of cooperative matrices in
// IR (docs/kernel-ir.md).

#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// The most elements of a vector of OpenCL C and SPIR-V. In a module with cooperative matrices, longer vectors are
/// matrices.
constexpr unsigned longest_vector = 16;

/// Transposes each of the matrices that a vector holds one after the other. The number of rows is a power of two.
inline llvm::Value* transposed(llvm::IRBuilderBase& build, llvm::Value* matrices, unsigned rows,
                               unsigned columns) {
  const unsigned count = llvm::cast<llvm::FixedVectorType>(matrices->getType())->getNumElements();
  const unsigned size = rows * columns;
  llvm::SmallVector<int, 64> mask(count);
  // Alternates the elements of the first half and of the second half of each matrix. An element's index then has its
  // highest bit, a bit of the row, as its lowest bit. For each of these shuffles, CPUs have instructions.
  for (unsigned i = 0; i < count; ++i)
    mask[i] = int(i / size * size + i % size / 2 + i % 2 * (size / 2));
  for (unsigned bits = rows; bits > 1; bits /= 2)
    matrices = build.CreateShuffleVector(matrices, mask);
  return matrices;
}

} // namespace hostcl::compiler

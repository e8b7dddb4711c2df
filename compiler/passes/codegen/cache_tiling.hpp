#pragma once

// Cache blocking (tiling) of the inner loop of work-item loops: the inner loop runs in blocks of iterations, and all
// rows of the group run a block before any row runs the next block.
//
//   for each row of the group                      for each 256 numbers k
//     for k: sum += a[row][k] * b[k][0..63]    =>    for each row of the group
//     c[row][0..63] = sum                              for these k: sum[row] += a[row][k] * b[k][0..63]
//                                                  c[row][0..63] = sum[row]
//
// All rows of the group then read the same part of b while it is in the cache. The pass also applies if all vectors of
// a group read columns, as in `sum += a[k][x]`: each block is then eight rows of the matrix, which the group reads from
// left to right. The inner loop's recurrences (sum) are stored in memory between two blocks. If a test at run time
// finds that the group has too many rows for this memory, or the inner loop too few iterations, there is only one
// block, which is the original order.
//
// The transformation is legal because work-items between two barriers may run in any order (metadata metadata::items), the
// inner loop has no side effects, and the code before the inner loop only computes and reads, so that it may be
// repeated for each block.
//
// The pass helps if the stride of rows is a power of two, because the elements of a column then share few sets of the
// cache.
// Gains on an Emerald Rapids Xeon with AVX-512: products of matrices of 1024 x 1024 2.2, of 2048 x 2048 1.4, min-plus
// products 1.5, a layer of a neural network 1.6. All other users gain or lose a fifth at most: the median of the twelve
// is 1.0, as with AVX2 code.
//
// In: the function of a range of groups, after unroll-and-jam. Tests: tests/passes/codegen/cache_tiling*,
// tests/kernels/groups/cut_loops.cpp

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CacheTilingPass : llvm::PassInfoMixin<CacheTilingPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Finds group-size-agnostic kernels: kernels whose results do not depend on how work-items are divided into groups, so
// that the launch may run them in groups of a size of its own choice:
//
//   int j = get_global_id(0), i = get_global_id(1);
//   for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
//
// The pass applies if no work-item can tell which others are in its group (group_visibility.hpp), and none waits for
// another: the kernel has no barrier, and no loop with a volatile access or an atomic whose result is used. Such a
// kernel gets the attribute "hostcl.group_rows": how many rows of work-items its groups should have.
// - 1 if only the width of a row matters.
// - 64 if a loop loads vectors that are the same for all rows, as b above. The rows then reuse these vectors from a
//   near cache (codegen/cache_tiling.hpp), and unroll-and-jam loads them once for several rows.
// - 16 if an access is contiguous along the rows but strided along the lanes, as in a transposition: 16 rows use up
//   each cache line.
// - 4 if the kernel computes nothing but 8-bit or 16-bit integers (choose/width.hpp).
// The launch chooses the group size by this attribute (abi/group_size.hpp).
//
// Gains on an Emerald Rapids Xeon, one thread: a product of matrices of 1024 x 1024 in groups of 256 x 1, or with none
// given, is 5 times as fast, and in groups of 1 x 64 40 times; a copy in groups of 1 x 64 11 times. On a Sapphire
// Rapids Xeon, in groups of 16 x 16: a median of nine bytes 3.4, a blur of bytes 1.7.
//
// Tests: tests/passes/vectorise/choose/group_size_agnostic.ll, tests/kernels/groups/group_size_agnostic.cpp

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct GroupSizeAgnosticPass : llvm::PassInfoMixin<GroupSizeAgnosticPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

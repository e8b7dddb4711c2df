#pragma once

// One host atomic per work-group where the vectoriser has left one per vector and work-items use its result,
// as in `out[atomic_inc(count)] = x`. The group first adds up the operands of its vectors, and each vector
// keeps the sum of those before it; after a barrier, the first vector to arrive makes the atomic for all.
//
//   %old = atomicrmw add ptr %count, i32 %n   =>   %before = atomicrmw add @total, i32 %n     ; local memory
//                                                  call void @__hostcl_barrier(i32 0)
//                                                  if (atomicrmw xchg @made, 1 == 0)
//                                                    base = atomicrmw add ptr %count, i32 (load @total)
//                                                  %old = base + %before
//
// That is one of the orders in which the work-items may run. The barrier may stand under any condition,
// because vectors that do not reach it are not waited for (see barrier_regions.hpp), but not in a loop, where
// the totals of two iterations would mix.
//
// Kernels that cannot tell which work-items share a group (group_visibility.hpp) or a vector get the attribute
// "hostcl.groups_merge": the fewer groups, the fewer host atomics, for which threads wait for each other. On
// Zen 4 that gains 1.9 where two arrays of particles are compacted, and 1.3 where a frontier of a graph is
// listed, or 1.9 in groups of 64.
//
// In: the vector form of a kernel. Tests: tests/passes/atomics/group_atomics*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct KernelShape;

/// Whether work-items cannot tell if several groups run as one.
bool may_merge_groups(const llvm::Function& kernel, const KernelShape& shape);

struct GroupAtomicsPass : llvm::PassInfoMixin<GroupAtomicsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

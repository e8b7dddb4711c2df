#pragma once

// Combines the host atomics of a work-group's vectors to one host atomic per group, for atomics whose result is used,
// as in `out[atomic_inc(count)] = x` (aggregated atomics). Each vector adds its operand to a total in local memory and
// keeps the sum of the vectors before it; after a barrier, the first vector to arrive makes the host atomic for all.
//
//   %old = atomicrmw add ptr %count, i32 %n   =>   %before = atomicrmw add @total, i32 %n     ; local memory
//                                                  call void @__hostcl_barrier(i32 0)
//                                                  if (atomicrmw xchg @made, 1 == 0)
//                                                    base = atomicrmw add ptr %count, i32 (load @total)
//                                                  %old = base + %before
//
// The result is that of one of the orders in which the work-items may run. The new barrier may be in conditional code,
// because vectors that do not reach it are not waited for (3_group/barrier_regions.cpp), but not in a loop, in which the
// totals of two iterations would mix.
//
// Kernels that cannot tell which work-items share a group (group_visibility.hpp) or a vector also get the attribute
// "hostcl.groups_merge": fewer, larger groups need fewer host atomics, for whose cache line threads compete. On Zen 4
// merging groups gains 1.9 if two arrays of particles are compacted, and 1.3 if a frontier of a graph is listed, or 1.9
// in groups of 64.
//
// In: the vector form of a kernel. Tests: tests/passes/atomics/group_atomics*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct KernelShape;
struct Switches;

/// Whether several groups may run as one group, because work-items cannot observe it.
bool may_merge_groups(const llvm::Function& kernel, const KernelShape& shape, const Switches& switches);

} // namespace hostcl::compiler

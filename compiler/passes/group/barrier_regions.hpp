#pragma once

// Turns a kernel, written for one work-item (or one vector of them), into a function that runs a whole
// work-group: each region between barriers becomes a loop over the group's chunks. A chunk is the set of
// work-items that one call of the kernel runs.
//
//   before:  define spir_kernel void @k(ptr addrspace(1) %p) {
//              %x = call i64 @__hostcl_local_id(i32 0)
//              %v = call float @compute(i64 %x)
//              call void @__hostcl_barrier(i32 1)
//              call void @use(i64 %x, float %v)
//              ret void }
//
//   after:   define spir_kernel void @k(ptr addrspace(1) %p) {      ; sketch
//              %slot = context + ...
//              for (x = 0; x != local_size(0); ++x)  slot[x] = compute(x)
//              for (x = 0; x != local_size(0); ++x)  use(x, slot[x])
//              ret void }
//
// Barriers may stand anywhere that the specification allows, in loops and conditionals as well; work-items
// that return before others reach a barrier are skipped from then on. Values that are uniform over the group
// stay in registers, cheap expressions of ids are computed again, other values are kept in the context (see
// regions/cross_values.hpp). Private arrays whose contents outlive a barrier move to the context
// (regions/private_memory.hpp).
//
// In: everything is inlined; barriers are direct calls; passes/kernel_shape.hpp has the attributes that are
// read. A kernel for groups of one work-item (single_item.hpp) stays as it is.
//
// Out: no local id, lane mask or barrier is left; `context_size` gives the bytes that the group needs.
//
// Tests: tests/passes/group/barrier_regions*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct BarrierRegionsPass : llvm::PassInfoMixin<BarrierRegionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Turns a kernel for one work-item (or one vector of work-items) into a function that runs a whole work-group: the code
// between two barriers, a region, becomes a loop over the group's chunks. A chunk is the set of work-items that one
// call of the kernel runs. (Work-item loops, as in pocl: Jääskeläinen et al., IJPP 2015.)
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
// Barriers may be anywhere that the specification allows, including loops and conditional code. Work-items that return
// before the others reach a barrier are skipped by the later loops. Values that are uniform over the group stay in
// registers, cheap expressions of ids are computed again, and other values that are live across a barrier are stored in
// the context (regions/cross_values.hpp). Private arrays whose contents are live across a barrier move to the context
// (regions/private_memory.hpp).
//
// In: everything is inlined; barriers are direct calls; the pass reads the attributes of passes/kernel_shape.hpp. A
// kernel for groups of one work-item (single_item.hpp) stays as it is.
//
// Out: no local id, lane mask or barrier is left; the attributes of `context_size` tell how many bytes of context a
// group needs.
//
// Tests: tests/passes/group/barrier_regions*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct BarrierRegionsPass : llvm::PassInfoMixin<BarrierRegionsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

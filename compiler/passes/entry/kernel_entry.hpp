#pragma once

// Makes the function that the runtime calls (abi::Entry) of a kernel that runs a whole group: adds the loop over the
// groups of a range, unpacks arguments, reads the values of work-item queries from the launch, and lowers host
// callbacks (host_callbacks.hpp).
//
//   before:  define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) %tile) {
//              %g = call i64 @__hostcl_group_id(i32 0) ... }
//
//   after:   define void @k.entry(ptr %launch, ptr %arguments, ptr %local, ptr %context,
//                                 i64 %first, i64 %last) {
//              %p = load ptr addrspace(1), ptr %arguments
//              %tile = %local + load i64, ptr (%arguments + 8)
//              for (group = first; group != last; ++group)  body of @k with %g = group }
//
// With the module flag hostcl.flush_denormals, subnormal numbers count as zero while the function runs. Group ids are
// incremented from group to group; only the ids of the range's first group take divisions. Structures passed by value
// must not be modified (see byval_arguments).
//
// In:  one call of each kernel in the module runs a group (barrier_regions has run).
// Out: for each kernel K an external function `K.entry` with the attribute hostcl.entry; K is gone. No work-item query
// is left. The first block ends with a branch to the block that loads arguments, or to the last block if the range is
// empty.
// Tests: tests/passes/entry/kernel_entry*.ll

#include "compiler/passes/entry_parameters.hpp"

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct KernelEntryPass : llvm::PassInfoMixin<KernelEntryPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

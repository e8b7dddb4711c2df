#pragma once

// Lowers sub-group operations of kernels that were not vectorised. Each work-item is then a sub-group of its own
// (docs/kernel-ir.md), so every operation has a trivial result. Tests: single_lane*.ll
//
//   before: %sum = call i32 @__hostcl_sub_group_reduce_add_i32(i32 %x)
//           %before = call i32 @__hostcl_sub_group_scan_exclusive_add_i32(i32 %x)
//           %w = call i32 @__hostcl_sub_group_width()
//   after:  %sum is %x, %before is 0, %w is 1

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct SingleLanePass : llvm::PassInfoMixin<SingleLanePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Kernels whose accesses cannot race in most launches have two forms, so that such launches run one that records nothing, and
// whose work-items are vectors:
//
//   before:  define spir_kernel void @k(...)
//
//   after:   define spir_kernel void @k(...)              as it was
//            define spir_kernel void @k.checked(...)      a copy, which check-races changes
//            define i1 @k.race_free(...)                  whether the launch needs no checks (freedom/race_freedom.hpp)
//
// `kernel-entry` makes one entry of the three. All groups of a launch run the same form: the condition is the launch's.
//
// Only kernels all of whose accesses can be proved are split: those without asynchronous copies and sub-groups.
//
// Without this (proven_races) sgemm_naive of bench/ takes 90 times as long as without checks instead of 2, transpose 90 and
// sgemm_tiled 110 instead of 1 (2 cores of an AMD EPYC, which had other work as well).
//
// In:  as for check-races, before checks that have branches of their own.
// Tests: tests/passes/checks/races/split_races*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct SplitRacesPass : llvm::PassInfoMixin<SplitRacesPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

#pragma once

// Versions kernels for the race check: if a kernel cannot have races in most launches, such launches run a version
// without checks, which can also be vectorised.
//
//   before:  define spir_kernel void @k(...)
//
//   after:   define spir_kernel void @k(...)              as it was
//            define spir_kernel void @k.checked(...)      a copy, which check-races instruments
//            define i1 @k.race_free(...)                  whether the launch needs no checks (freedom/race_freedom.hpp)
//
// `kernel-entry` makes one entry function of the three. All groups of a launch run the same version, because the
// condition depends on the launch only.
//
// Only kernels whose accesses can all be proved are split: kernels without asynchronous copies and sub-group
// operations.
//
// Without this (proven_races) sgemm_naive of bench/ takes 90 times as long as without checks instead of 2, transpose 90
// and sgemm_tiled 110 instead of 1 (2 cores of an AMD EPYC, which had other work as well).
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

#pragma once

// Promotes operations on half to float if that gives the same results: rounding to integers, minimum, maximum, and
// fmuladd (which may round either way). For CPUs without half arithmetic, for which LLVM generates slow code: it
// scalarises rounding, calls the C library for minimum and maximum, and makes two operations with four conversions of
// fmuladd.
//
//   %r = call <16 x half> @llvm.floor(<16 x half> %x)
// becomes
//   %w = fpext <16 x half> %x to <16 x float>
//   %f = call <16 x float> @llvm.floor(<16 x float> %w)
//   %r = fptrunc <16 x float> %f to <16 x half>
//
// Gains on an Emerald Rapids Xeon with code for Ice Lake: 6.4 in the median of its three users, from 2.9 for
// polynomials to 17 for numbers that are rounded and clamped.
//
// Tests: tests/passes/codegen/promote_half*.ll, wide_to_half.*

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct PromoteHalfPass : llvm::PassInfoMixin<PromoteHalfPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// Converts integers of more than 64 bits to half through float, on all CPUs: LLVM 22 aborts on the direct conversion
/// if the CPU has half arithmetic. The detour is exact: integers that float rounds, from 2^24 on, are infinite in half
/// anyway.
struct WideToHalfPass : llvm::PassInfoMixin<WideToHalfPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

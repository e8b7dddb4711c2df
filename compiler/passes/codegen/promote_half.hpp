#pragma once

// Rounding, minimum and maximum of half numbers are done in float, which gives the same results, and so is
// fmuladd. For CPUs without half arithmetic: LLVM splits the former into lanes there, calls the C library for
// minimum and maximum, and makes two operations with four conversions of the latter.
//
//   %r = call <16 x half> @llvm.floor(<16 x half> %x)
// becomes
//   %w = fpext <16 x half> %x to <16 x float>
//   %f = call <16 x float> @llvm.floor(<16 x float> %w)
//   %r = fptrunc <16 x float> %f to <16 x half>
//
// Gains on an Emerald Rapids Xeon with code for Ice Lake: 6.4 in the median of its three users, from 2.9 for polynomials to
// 17 for numbers that are rounded and clamped.
//
// Tests: tests/passes/codegen/promote_half*.ll, wide_to_half.*

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct PromoteHalfPass : llvm::PassInfoMixin<PromoteHalfPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// Integers of more than 64 bits become half by way of float, on every CPU: LLVM 22 ends the process where
/// the CPU has half arithmetic. Numbers that float rounds, from 2^24 on, are infinite in half.
struct WideToHalfPass : llvm::PassInfoMixin<WideToHalfPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

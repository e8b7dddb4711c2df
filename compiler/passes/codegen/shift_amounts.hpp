#pragma once

// Works around a bug of LLVM 22's code generator for AVX-512: replaces constant shift amounts that are out of range by
// 0. If LLVM's SLP vectoriser combines scalars with different operations to a vector, it performs each operation in all
// lanes and selects among the results. In lanes whose result is not selected, a shift then has operands of other
// operations. Such a lane is poison, but the code generator draws conclusions from its amount for the other lanes:
//
//   before:  %s = ashr exact <2 x i64> %v, <i64 32, i64 255>
//   after:   %s = ashr exact <2 x i64> %v, <i64 32, i64 0>
//
// In: any code, after the last pass that makes vectors. Test: tests/passes/codegen/shift_amounts.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct ShiftAmountsPass : llvm::PassInfoMixin<ShiftAmountsPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

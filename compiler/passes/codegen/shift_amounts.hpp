#pragma once

// Gives constant shift amounts that are too large a value that is not. LLVM's SLP vectoriser (22) makes one vector of
// scalars with different operations by doing each operation in all lanes and choosing among the results, so that a
// shift has the operands of other operations in the lanes that are not chosen. Such a lane is poison; LLVM's code
// generator for AVX-512 takes it into what it derives from the amounts of the other lanes:
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

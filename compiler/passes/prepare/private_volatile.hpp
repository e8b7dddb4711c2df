#pragma once

// Makes volatile accesses to private variables ordinary ones, if the variable's address does not escape. No other
// work-item can then observe the variable, so it may live in a register, and the vectoriser need not repeat the
// accesses for each lane. A floating-point value that is loaded from such a variable goes through an arithmetic fence:
// compensated sums declare variables volatile to keep fast-math optimisations from cancelling terms.
//
//   before:  %s = alloca float
//            store volatile float %a, ptr %s
//            %x = load volatile float, ptr %s
//   after:   store float %a, ptr %s
//            %r = load float, ptr %s
//            %x = call float @llvm.arithmetic.fence.f32(float %r)
//
// If races are checked, the pass runs after `check-races`: that check counts a value that is loaded into a volatile
// variable as used.
//
// Gains: a compensated sum of 1,000 numbers in 16,384 work-items is 65 times as fast (AMD EPYC with AVX-512), and takes
// as long as a sum without volatile; sums of 8 and 64 numbers are 71 and 31 times as fast.
//
// Tests: tests/passes/prepare/private_volatile.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct PrivateVolatilePass : llvm::PassInfoMixin<PrivateVolatilePass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

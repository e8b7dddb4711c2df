#pragma once

// Splits the cases that lead to a barrier from a switch, for HOSTCL_CHECK=divergence: each becomes a branch before the
// switch. Work-items may then have different cases without being reported, unless only some of them reach the barrier.
// Such a switch results from a call through a pointer to one of several functions, one of which has a barrier.
//
//   before:  switch i64 %n, label %none [ i64 1, label %plain   i64 2, label %waits ]      %waits leads to a barrier
//
//   after:   %barrier.case = icmp eq i64 %n, 2
//            br i1 %barrier.case, label %waits, label %rest
//          rest:
//            switch i64 %n, label %none [ i64 1, label %plain ]
//
// In:   kernels in SSA form whose calls are inlined, before lower-switch and check-divergence.
// Test: tests/passes/checks/barrier_cases.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct BarrierCasesPass : llvm::PassInfoMixin<BarrierCasesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

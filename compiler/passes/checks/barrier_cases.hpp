#pragma once

// Cases of a switch that lead to a barrier become branches in front of it, so that work-items which differ in their
// cases part, as far as barriers go, only where one of them comes to a barrier (HOSTCL_CHECK=divergence). Such a switch is
// a call through a pointer to one of several functions of which one has a barrier.
//
//   before:  switch i64 %n, label %none [ i64 1, label %plain   i64 2, label %waits ]      %waits leads to a barrier
//
//   after:   %barrier.case = icmp eq i64 %n, 2
//            br i1 %barrier.case, label %waits, label %rest
//          rest:
//            switch i64 %n, label %none [ i64 1, label %plain ]
//
// In:   kernels in SSA form whose calls are inlined, in front of lower-switch and check-divergence.
// Test: tests/passes/checks/barrier_cases.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct BarrierCasesPass : llvm::PassInfoMixin<BarrierCasesPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

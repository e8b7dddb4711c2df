#pragma once

// Uninitialised values are reported where they decide something (HOSTCL_CHECK=uninitialised): at branches, as
// addresses and divisors, where they are stored to global memory, printed, or given to functions that stay calls.
//
// `mark-uninitialised` gives private variables that become SSA values a value to begin with, which no pass can guess:
//
//   before:  %x = alloca i32                     after:   %x = alloca i32
//            %v = load i32, ptr %x                        %u = call i32 @__hostcl_uninitialised.i32()
//                                                         store i32 %u, ptr %x        also where its lifetime starts
//
// `check-uninitialised` computes a shadow beside each value that may be affected: a bit for each bit, 1 if it depends on
// an uninitialised one. Memory has shadows as well (shadow_memory.hpp).
//
//   before:  %v = load i32, ptr addrspace(1) %p
//            %w = and i32 %v, %m
//            store i32 %w, ptr addrspace(1) %q
//
//   after:   %v = load i32, ptr addrspace(1) %p
//            %v.shadow = load i32, ptr addrspace(1) %p.shadow
//            %w = and i32 %v, %m
//            %w.shadow = and i32 %v.shadow, %m            what bits of other operations are: ShadowValues
//            %wrong = icmp ne i32 %w.shadow, 0
//            if %wrong a report (findings.hpp)
//            store i32 0, ptr addrspace(1) %q.shadow      reported once; copies of memory copy the shadow instead
//            store i32 %w, ptr addrspace(1) %q
//
// Functions that stay calls keep the shadows of global memory, but report nothing. Images count as written.
//
// In:  kernels whose calls are inlined. `check-uninitialised` comes before passes that make use of undefined values;
//      it leaves none: variables begin as zeros.
// Tests: tests/passes/checks/uninitialised/, tests/process/undefined_findings.cpp

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct MarkUninitialisedPass : llvm::PassInfoMixin<MarkUninitialisedPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

struct CheckUninitialisedPass : llvm::PassInfoMixin<CheckUninitialisedPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

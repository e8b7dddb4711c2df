#pragma once

// Checks for uses of uninitialised values (HOSTCL_CHECK=uninitialised, as MemorySanitizer does). Copying such a value
// is allowed; it is reported if it decides something: as a branch's condition, an address or a divisor, or if it is
// stored to global memory, printed, or passed to a function that is still called.
//
// `mark-uninitialised` gives private variables that become SSA values an initial value that no pass can fold:
//
//   before:  %x = alloca i32                     after:   %x = alloca i32
//            %v = load i32, ptr %x                        %u = call i32 @__hostcl_uninitialised.i32()
//                                                         store i32 %u, ptr %x        also at the start of its lifetime
//
// `check-uninitialised` computes a shadow for each value that may be uninitialised: each bit has a shadow bit, which is
// 1 if the bit depends on an uninitialised bit. Memory has shadows as well (shadow_memory.hpp).
//
//   before:  %v = load i32, ptr addrspace(1) %p
//            %w = and i32 %v, %m
//            store i32 %w, ptr addrspace(1) %q
//
//   after:   %v = load i32, ptr addrspace(1) %p
//            %v.shadow = load i32, ptr addrspace(1) %p.shadow
//            %w = and i32 %v, %m
//            %w.shadow = and i32 %v.shadow, %m            for other operations see ShadowValues
//            %wrong = icmp ne i32 %w.shadow, 0
//            if %wrong a report (findings.hpp)
//            store i32 0, ptr addrspace(1) %q.shadow      so that it is reported once; memcpy copies the shadow instead
//            store i32 %w, ptr addrspace(1) %q
//
// Functions that are still called maintain the shadows of global memory but report nothing. Images count as
// initialised.
//
// In:  kernels whose calls are inlined. `check-uninitialised` runs before passes that make use of undefined values, and
//      leaves none: variables are initialised with zeros.
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

#pragma once

// Checks for undefined behaviour that the kernel's own code causes (HOSTCL_CHECK=arguments), similar to clang's
// UndefinedBehaviorSanitizer: integer divisions by zero and INT_MIN / -1, conversions of numbers that the integer type
// cannot hold, misaligned accesses, and arguments that a built-in function does not allow.
//
//   before:  %q = sdiv i32 %a, %b
//
//   after:   %wrong = icmp eq i32 %b, 0
//            if %wrong a report (findings.hpp)
//            %q = sdiv i32 %a, %b
//
// Misaligned accesses are not performed. Shifts are not checked, because OpenCL C takes their amounts modulo the width
// (6.3.j).
//
// In:  the functions of a kernel as the front end made them, before the library is linked: built-in functions are still
//      calls, and are recognised by their mangled names.
// Tests: tests/passes/checks/check_arguments_*.ll, tests/process/undefined_findings.cpp

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

struct CheckArgumentsPass : llvm::PassInfoMixin<CheckArgumentsPass> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

} // namespace hostcl::compiler

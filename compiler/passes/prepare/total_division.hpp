#pragma once

// Integer division that cannot trap. OpenCL C (6.3.a of 3.0) leaves the result of a division by zero, and of
// the smallest number by -1, open, but the program goes on; the host's instruction raises a signal, and LLVM
// may conclude from a division that its divisor is not zero. So this runs before anything else looks at the
// code. Tests: tests/passes/prepare/total_division*.ll
//
//   before: %q = sdiv i32 %n, %d
//   after:  %zero = icmp eq i32 %d, 0
//           %least = icmp eq i32 %n, -2147483648
//           %minus = icmp eq i32 %d, -1
//           %overflows = and i1 %least, %minus
//           %bad = or i1 %zero, %overflows
//           %safe = select i1 %bad, i32 1, i32 %d, !hostcl.total_divisor !{}
//           %q = sdiv i32 %n, %safe

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

struct TotalDivisionPass : llvm::PassInfoMixin<TotalDivisionPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
  static bool isRequired() { return true; }
};

/// The divisor that the program has, %d above, if it is known by its mark: another one than the division's only where
/// OpenCL leaves the quotient open. A divisor that the program itself keeps from being zero has no mark.
llvm::Value* programs_divisor(const llvm::Instruction& division);

} // namespace hostcl::compiler

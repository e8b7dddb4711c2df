#pragma once

// Guards integer divisions so that they cannot trap. OpenCL C (3.0, 6.3.a) leaves the result of a division by zero,
// and of the least integer by -1, undefined, but the program goes on. The host's instruction raises a signal in these
// cases, and LLVM may conclude from a division that its divisor is not zero. The pass therefore runs before all passes
// that simplify.
//
//   before: %q = sdiv i32 %n, %d
//   after:  %zero = icmp eq i32 %d, 0
//           %least = icmp eq i32 %n, -2147483648
//           %minus = icmp eq i32 %d, -1
//           %overflows = and i1 %least, %minus
//           %bad = or i1 %zero, %overflows
//           %safe = select i1 %bad, i32 1, i32 %d, !hostcl.guarded_divisor !{}
//           %q = sdiv i32 %n, %safe
//
// Divisions by a constant that cannot trap stay as they are. Later passes find the program's divisor by the metadata on
// the select (programs_divisor()).
//
// Tests: tests/passes/1_kernel/guarded_division*.ll

#include "llvm/IR/PassManager.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// The divisor in the program's source: %d in the example above, found by the metadata of the select; the division's
/// own operand if there is no such select. Both differ only in cases in which OpenCL leaves the quotient undefined. A
/// select that the program itself wrote to avoid a zero divisor has no metadata, and is returned as it is.
llvm::Value* programs_divisor(const llvm::Instruction& division);

} // namespace hostcl::compiler

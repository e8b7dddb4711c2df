#pragma once

// Integer division. Hosts have none for vectors, so it is done in floating point where that is exact:
//
//   %q = udiv i32 %a, %b    =>   %x = uitofp <8 x i32> %a to <8 x double>
//                                %y = uitofp <8 x i32> %b to <8 x double>
//                                %q = fptoui (fdiv %x, %y)
//
// A quotient a/b that is not an integer is at least 1/b below the next one, n; so with a < 2^m, it differs
// from n by a factor of 1 - 2^-m at least, which survives rounding where the mantissa has more than m bits.
//
// A divisor that all lanes share is inverted once, and dividends are multiplied: coordinates of an index, `i % width`
// and `i / width`.
//
// Tests: tests/passes/vectorise/vectorise_division.ll.

namespace llvm {
class Instruction;
}

namespace hostcl::compiler {

class Emission;

/// Whether a lane that is not active may make the division trap.
bool may_trap(const Emission& e, const llvm::Instruction& division);
void emit_division(Emission& e, llvm::Instruction& division);

} // namespace hostcl::compiler

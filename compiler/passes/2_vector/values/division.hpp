#pragma once

// Writes integer division for all lanes. CPUs have no integer division for vectors, so it is done in floating point if
// the result is exact:
//
//   %q = udiv i32 %a, %b    =>   %x = uitofp <8 x i32> %a to <8 x double>
//                                %y = uitofp <8 x i32> %b to <8 x double>
//                                %q = fptoui (fdiv %x, %y)
//
// Why this is exact: a quotient a/b that is not an integer is at least 1/b below the next integer n. With a < 2^m, the
// quotient is smaller than n by a factor of at most 1 - 2^-m. Rounding keeps them apart if the mantissa has more than m
// bits.
//
// A uniform divisor is inverted once, and dividends are multiplied by the inverse: typical for the coordinates of an
// index, `i % width` and `i / width`.
//
// Tests: tests/passes/2_vector/vectorise_division.ll.

namespace llvm {
class Instruction;
}

namespace hostcl::compiler {

class Emission;

/// Writes a division in the form of the plan: widen, widen_float or widen_masked.
void emit_division(Emission& e, llvm::Instruction& division);

} // namespace hostcl::compiler

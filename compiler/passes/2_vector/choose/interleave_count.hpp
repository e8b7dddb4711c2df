#pragma once

// Chooses how many vectors are computed at the same time to hide latency (interleaving, as in LLVM's loop vectoriser).
// A loop whose iterations depend on each other leaves the arithmetic units idle, and is too long for the processor to
// overlap it with the loop of the next work-items:
//
//   x = fma(y, x, y);  y = fma(x, y, x);   // a latency of 8 cycles, of which 1 is work: several vectors fit in between
//
// Interleaving is done by vectors that are wider than the host's: the code generator then uses several registers for
// each value, which are independent of each other. Cases in which several registers pay, with their gains against one
// (on Zen 4 if no other CPU is named):
// - A loop with a long dependence chain: this loop gains 3.6, a loop of xorshift 1.9.
// - Straight-line code too long for the processor's reorder buffer: 64 rounds of a hash gain 1.15.
// - A loop with contiguous loads: with several registers, one iteration reads more consecutive bytes of each page. Sums
//   of columns gain 1.4. On a Rocket Lake Xeon, in loops with i += get_global_size(0), a scalar product gains 1.9 and
//   b[i] = 2 * a[i] 1.4.
// - A loop around an atomic on one address whose result is used: one host atomic serves all lanes, so more lanes mean
//   fewer atomics. It gains 3.7.
// - A loop that counts bytes in local memory: it gets as many lanes as a register holds indices. The local histogram of
//   bench/ gains 1.6.
//
// Tests: tests/passes/2_vector/choose/width.ll, width_memory.ll, width_rows.ll, width_atomics.ll,
// width_local_updates.ll.

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

class InstructionCosts;

/// How many registers each value should have: 1, 2 or 4. `lanes` is the number of lanes of one register, `dimension`
/// the dimension along which lanes are consecutive.
unsigned interleave_count(const llvm::Function& kernel, const InstructionCosts& costs, unsigned lanes,
                          unsigned dimension);

} // namespace hostcl::compiler

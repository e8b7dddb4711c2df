#pragma once

// How many vectors should be in flight to hide latency. A loop whose iterations wait for each other leaves
// the arithmetic units idle, and is too long for the processor to overlap it with that of the next
// work-items:
//
//   x = fma(y, x, y);  y = fma(x, y, x);   // 8 cycles, of which 1 is work: several vectors fit in between
//
// Wider vectors than the host's give the code generator several registers for each value, which are
// independent of each other. Gains on Zen 4, against one vector each: this loop 3.6, a loop of xorshift 1.9.
// So does straight-line code that is too long for the processor to see its end: 64 rounds of a hash 1.15. A
// loop that reads rows side by side uses more of each page: sums of columns 1.4, and on a Rocket Lake Xeon, where
// work-items step over all others, a scalar product 1.9 and b[i] = 2 * a[i] 1.4. The same holds for a loop
// around an atomic on one address, whose result is used: one host atomic serves all lanes, so the more of
// them the better: 3.7. A loop that counts bytes in local memory gets as many lanes as a register holds
// indices: the local histogram of bench/ 1.6. Tests: tests/passes/vectorise/choose/width.ll, width_memory.ll, width_rows.ll,
// width_atomics.ll, width_local_updates.ll.

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

class InstructionCosts;

/// 1, 2 or 4: registers that each value should have, for vectors of `lanes` otherwise, which lie along
/// `dimension`.
unsigned interleave_count(const llvm::Function& kernel, const InstructionCosts& costs, unsigned lanes,
                          unsigned dimension);

} // namespace hostcl::compiler

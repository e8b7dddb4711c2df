#pragma once

// How many vectors should be in flight to hide latency. A loop whose iterations wait for each other leaves
// the arithmetic units idle, and is too long for the processor to overlap it with that of the next
// work-items:
//
//   x = fma(y, x, y);  y = fma(x, y, x);   // 8 cycles, of which 1 is work: several vectors fit in between
//
// Wider vectors than the host's give the code generator several registers for each value, which are
// independent of each other. So does straight-line code that is too long for the processor to see its end, as
// the rounds of a hash function. A loop that reads rows side by side uses more of each page. The same holds
// for a loop around an atomic on one address, whose result is used: one host atomic serves all lanes, so the
// more of them the better. A loop that counts bytes in local memory gets as many lanes as a register holds
// indices. Tests: tests/passes/width.ll, width_memory.ll, width_rows.ll, width_atomics.ll,
// width_local_updates.ll.

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// 1, 2 or 4: registers that each value should have, for vectors of `lanes` otherwise.
/// @param integer_latency, dimension as VectoriseOptions has them
unsigned interleave_count(const llvm::Function& kernel, unsigned lanes, unsigned integer_latency,
                          unsigned dimension);

} // namespace hostcl::compiler

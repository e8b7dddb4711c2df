#pragma once

// How many vectors should be in flight to hide latency. A loop whose iterations wait for each other leaves
// the arithmetic units idle, and is too long for the processor to overlap it with that of the next
// work-items:
//
//   x = fma(y, x, y);  y = fma(x, y, x);   // 8 cycles, of which 1 is work: several vectors fit in between
//
// Wider vectors than the host's give the code generator several registers for each value, which are
// independent of each other. Tests: tests/passes/width.ll, width_memory.ll.

namespace llvm {
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// 1, 2 or 4: registers that each value should have.
unsigned vectors_in_flight(const llvm::Function& kernel);

} // namespace hostcl::compiler

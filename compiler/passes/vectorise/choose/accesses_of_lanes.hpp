#pragma once

// How much code a kernel's vectors would be. The CPU has no instruction for some scatters and gathers, and LLVM writes an
// access for each lane, in a block of its own because any lane may be off. Its register coalescer takes quadratic time
// for the blocks: a kernel that sets up the table of RC4, 256 stores of bytes in a row, took 2.3 s for 16 lanes, and takes
// 0.08 s one work-item at a time; hashcat's m33500_s04 has its first code in 0.09 instead of 1.8 s, 20 times as soon (a Xeon
// with AVX-512).
//
// Test: tests/passes/vectorise/choose/accesses_of_lanes.cl

namespace llvm {
class Function;
}

namespace hostcl::compiler {

struct Capabilities;
class Shapes;

/// The accesses of machine code that loads and stores of lanes' own places would be, beside those that one instruction
/// makes for all lanes.
unsigned accesses_of_lanes(const llvm::Function& kernel, const Shapes& shapes, unsigned width,
                           const Capabilities& cpu);

/// So many take about a tenth of a second to compile.
inline constexpr unsigned most_accesses_of_lanes = 512;

} // namespace hostcl::compiler

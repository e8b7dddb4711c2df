#pragma once

// Estimates how much code a kernel's scattered accesses would be in vector form, so that kernels with very many of them
// are not vectorised. If the CPU has no instruction for a gather or scatter, LLVM writes a scalar access for each lane,
// each in a block of its own because the lane may be inactive. The time of LLVM's register coalescer grows with the
// square of the number of such blocks.
//
// Gains on a Xeon with AVX-512: a kernel that sets up the table of RC4, 256 stores of bytes in a row, took 2.3 s to
// compile for 16 lanes, and takes 0.08 s with one work-item at a time; hashcat's m33500_s04 has its tier 0 code in 0.09
// instead of 1.8 s, 20 times as soon.
//
// Test: tests/passes/2_vector/choose/accesses_of_lanes.cl

namespace llvm {
class Function;
}

namespace hostcl::compiler {

struct Capabilities;
class Shapes;

/// The number of scalar accesses that the kernel's gathers and scatters would become. Those for which the CPU has an
/// instruction do not count.
unsigned accesses_of_lanes(const llvm::Function& kernel, const Shapes& shapes, unsigned width,
                           const Capabilities& cpu);

/// A limit for accesses_of_lanes(): this many take about a tenth of a second to compile.
inline constexpr unsigned most_accesses_of_lanes = 512;

} // namespace hostcl::compiler

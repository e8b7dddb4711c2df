#pragma once

// What the CPU can do that kernels are compiled for, as far as the vectoriser asks. For each kind of CPU a file
// (code/cpu_capabilities_x86_64.cpp) derives it from LLVM's features, and has what was measured beside them.
// The defaults are those of a CPU with AVX2. Tests: tests/passes/tool/cpus.cl

namespace hostcl::compiler {

struct Capabilities {
  unsigned vector_bits = 256; ///< widest vector that the CPU runs well

  // Derived from features
  bool gathers = true;           ///< loads 32-bit numbers of several addresses by one instruction
  bool permutes = true;          ///< moves numbers of a register to lanes that another register names
  bool byte_masks = false;       ///< loads and stores under a mask with a bit for each number, down to bytes
  bool compresses = false;       ///< moves the active lanes to the front of a register
  bool long_conversions = false; ///< converts between 64-bit integers and double

  // Measured
  bool fetches_overwritten = false;   ///< reads lines that are written as a whole, unless the stores are
                                      ///< non-temporal
  bool slow_scattered_access = false; ///< gathers and scatters cost several times the same number of scalar
                                      ///< accesses
  unsigned integer_latency = 1;       ///< of a vector operation, in cycles in which two of them could begin
};

} // namespace hostcl::compiler

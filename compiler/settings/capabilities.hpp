#pragma once

// The properties of the CPU that kernels are compiled for, as far as the vectoriser needs them. For each
// architecture a file such as code/cpu_capabilities_x86_64.cpp derives them from LLVM's features, and adds
// what was measured. The default values describe a CPU with AVX2. Tests: tests/passes/tool/cpus.cl

namespace hostcl::compiler {

struct Capabilities {
  unsigned vector_bits = 256; ///< widest vectors that the CPU executes at full speed

  // Derived from features:
  bool gathers = true; ///< has an instruction that loads 32-bit numbers from several addresses
  /// Has an instruction that permutes the lanes of a register by the indices in another register.
  bool permutes = true;
  /// Has masked loads and stores of elements down to bytes, with a bit for each element.
  bool byte_masks = false;
  bool compresses = false; ///< has an instruction that moves the active lanes to the front of a register
  bool long_conversions = false; ///< has instructions that convert between 64-bit integers and double
  /// Has instructions for the exponent and the significand of a number and others of docs/kernel-ir.md, and can look up
  /// numbers in registers.
  bool float_parts = false;

  // Measured:
  /// Reads cache lines from memory even if they are overwritten as a whole, except by non-temporal stores.
  bool fetches_overwritten = false;
  /// Gathers and scatters cost several times as much as the same number of scalar accesses.
  bool slow_scattered_access = false;
  /// Latency of a vector operation, in cycles in each of which two operations can begin.
  unsigned integer_latency = 1;

  bool operator==(const Capabilities&) const = default;
};

} // namespace hostcl::compiler

#pragma once

// Address spaces of kernels' IR, numbered as in SPIR (kernel-ir.md). No other file has their numbers
// (`tests/shape/guard.py spaces`). The host's own pointers, those of an entry's parameters and of `abi` structures,
// are LLVM's unqualified ones.

namespace hostcl::compiler {

inline constexpr unsigned private_space = 0, global_space = 1, constant_space = 2, local_space = 3,
                          generic_space = 4;

/// The largest number that program binaries may have.
inline constexpr unsigned last_space = 5;

} // namespace hostcl::compiler

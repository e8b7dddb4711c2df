#pragma once

// Address spaces of kernel IR, numbered as in SPIR (docs/kernel-ir.md). No other file contains these numbers
// (`tests/shape/guard.py spaces`). Pointers of the host, in an entry's parameters and in `abi` structures, are in
// LLVM's default address space 0.

namespace hostcl::compiler {

inline constexpr unsigned private_space = 0, global_space = 1, constant_space = 2, local_space = 3,
                          generic_space = 4;

/// The largest address space number that program binaries may contain.
inline constexpr unsigned last_space = 5;

} // namespace hostcl::compiler

#pragma once

// Address spaces of kernels' IR, numbered as in SPIR (kernel-ir.md).

namespace hostcl::compiler {

inline constexpr unsigned private_space = 0, global_space = 1, constant_space = 2, local_space = 3,
                          generic_space = 4;

} // namespace hostcl::compiler

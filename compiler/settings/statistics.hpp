#pragma once

// Whether kernels are described: kernel statistics (compiler/kernel_statistics.hpp) are made together with machine
// code, for profiles.

namespace hostcl::compiler {

/// Must be called before anything is compiled. Programs then have line tables and contain their source.
void describe_kernels(bool described);
bool are_kernels_described();

} // namespace hostcl::compiler

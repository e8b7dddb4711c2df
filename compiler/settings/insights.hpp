#pragma once

// Whether kernels are described beside their machine code (compiler/insight.hpp), for profiles.

namespace hostcl::compiler {

/// Call it before anything is compiled. Programs then have line tables and hold their source.
void describe_kernels(bool described);
bool are_kernels_described();

} // namespace hostcl::compiler

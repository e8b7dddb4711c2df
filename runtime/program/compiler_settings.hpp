#pragma once

namespace hostcl::runtime {

/// Hands the compiler what HOSTCL_* variables say about it. Called once, before the first program.
void apply_compiler_settings();

} // namespace hostcl::runtime

#pragma once

namespace hostcl::runtime {

/// Gives the compiler its settings from HOSTCL_* variables. Called once, before the first program.
void apply_compiler_settings();

} // namespace hostcl::runtime

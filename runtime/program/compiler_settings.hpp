#pragma once

namespace hostcl::runtime {

/// Passes the compiler its settings from HOSTCL_* variables. Called once, before the first program is
/// created.
void apply_compiler_settings();

} // namespace hostcl::runtime

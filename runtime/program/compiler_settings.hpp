#pragma once

#include "compiler/settings/settings.hpp"

namespace hostcl::runtime {

/// The compiler's settings that HOSTCL_* variables ask for. Logs a warning for a value that is refused.
compiler::SettingsPtr read_compiler_settings();

/// Prepares what is common to all contexts: resource budgets, the cache, checks, compile servers. Called once, before the
/// first program is created.
void prepare_compiler(const compiler::Settings& settings);

} // namespace hostcl::runtime

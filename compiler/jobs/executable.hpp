#pragma once

// Loads programs whose IR may be in memory.

#include "compiler/compiler.hpp"
#include "compiler/jobs/workbench.hpp"

namespace hostcl::compiler {

/// load() for a program that has just been compiled, with its IR if the workbench has it.
Outcome<std::shared_ptr<Executable>> load(const SettingsPtr& settings, const ModulePtr& program,
                                          Workbench& bench, std::shared_ptr<CodeHost> host);

} // namespace hostcl::compiler

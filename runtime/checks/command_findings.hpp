#pragma once

// Findings of the check of commands: texts and members of JSON for two commands, as findings.hpp has them for work-items.

#include "runtime/checks/command_order.hpp"

namespace hostcl::runtime::checks {

/// Adds a finding to those of the process.
void note(const CommandFinding& finding);

} // namespace hostcl::runtime::checks

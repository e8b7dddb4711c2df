#pragma once

// Findings of the check `commands`: the message and the JSON members for two commands. findings.hpp does the
// same for work-items.

#include "runtime/checks/command_order.hpp"

namespace hostcl::runtime::checks {

/// Adds a finding to those of the process.
void note(const CommandFinding& finding);

} // namespace hostcl::runtime::checks

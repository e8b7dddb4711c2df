#pragma once

// Reports findings of the check `commands`. A finding is a pair of commands that race. command_findings.cpp
// writes the message and the line of JSON, and adds them to the findings of the process (findings.hpp).

#include "runtime/checks/command_order.hpp"

namespace hostcl::runtime::checks {

/// Adds a finding to those of the process.
void note(const CommandFinding& finding);

} // namespace hostcl::runtime::checks

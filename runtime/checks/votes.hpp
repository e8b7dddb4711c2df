#pragma once

// Votes of a group's work-items on the way to go on (compiler/passes/checks/divergence.hpp).

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime::checks {

void add_vote_services(abi::Services& services);
/// The thread's group has ended before it had a result.
void forget_votes();

} // namespace hostcl::runtime::checks

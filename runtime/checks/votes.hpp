#pragma once

// Host callbacks of the convergence check: each work-item of a group votes whether it goes on to a barrier
// (compiler/passes/checks/divergence.hpp).

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime::checks {

void add_vote_services(abi::Services& services);
/// Called when the group that this thread runs has ended before its vote had a result.
void forget_votes();

} // namespace hostcl::runtime::checks

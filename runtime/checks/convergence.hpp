#pragma once

// Host callbacks of the convergence check: each work-item of a group says whether it goes on to a barrier
// (compiler/passes/checks/divergence.hpp).

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime::checks {

void add_convergence_callbacks(abi::HostCallbacks& host_callbacks);
/// Called if a work-item of the group that this thread runs has trapped, so that a check that had begun gets no result.
void forget_convergence_check();

} // namespace hostcl::runtime::checks

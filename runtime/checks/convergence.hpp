#pragma once

// Host callbacks of the convergence check: each work-item of a group reports whether it goes on to a barrier
// (compiler/passes/checks/divergence.cpp).

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime::checks {

void add_convergence_callbacks(abi::HostCallbacks& host_callbacks);
/// Called when the group that this thread runs has ended before its check had a result.
void forget_convergence_check();

} // namespace hostcl::runtime::checks

#pragma once

// Host callbacks of checked kernels.

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime::checks {

/// Sets the callbacks of abi::HostCallbacks that checked kernels call.
void add_check_callbacks(abi::HostCallbacks& host_callbacks);

} // namespace hostcl::runtime::checks

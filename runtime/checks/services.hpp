#pragma once

// Host callbacks of checked kernels.

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime::checks {

/// Sets the callbacks of abi::Services that checked kernels call.
void add_services(abi::Services& services);

} // namespace hostcl::runtime::checks

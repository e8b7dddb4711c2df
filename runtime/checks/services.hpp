#pragma once

// What checked kernels ask of the host.

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime::checks {

/// Sets the services of abi::Services that checked kernels call.
void add_services(abi::Services& services);

} // namespace hostcl::runtime::checks

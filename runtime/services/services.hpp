#pragma once

// What kernels ask of the host while they run.

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime {

/// All services. Contexts have a copy with abi::Services::context of their own.
const abi::Services& services();

} // namespace hostcl::runtime

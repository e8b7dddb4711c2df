#pragma once

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime {

/// Sets the host callbacks for device-side enqueueing.
void add_enqueue_services(abi::Services& services);

} // namespace hostcl::runtime

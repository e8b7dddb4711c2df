#pragma once

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime {

/// Sets the host callbacks for device-side enqueueing.
void add_enqueue_callbacks(abi::HostCallbacks& host_callbacks);

} // namespace hostcl::runtime

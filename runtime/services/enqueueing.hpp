#pragma once

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime {

/// Fills in the services that concern enqueueing.
void add_enqueue_services(abi::Services& services);

} // namespace hostcl::runtime

#pragma once

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime {

/// Sets the host callback for printf().
void add_print_callback(abi::HostCallbacks& host_callbacks);

} // namespace hostcl::runtime

#pragma once

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime {

/// Sets the host callback for printf().
void add_print_service(abi::Services& services);

} // namespace hostcl::runtime

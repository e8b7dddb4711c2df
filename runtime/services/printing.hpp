#pragma once

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime {

/// Fills in the service of printf().
void add_print_service(abi::Services& services);

} // namespace hostcl::runtime

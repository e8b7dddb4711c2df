#pragma once

#include "runtime/description/description.hpp"

namespace hostcl::runtime {

/// Reads the descriptions that HOSTCL_DEVICE names, in order. Warns of each name or file that cannot be used, which is
/// left out, and of each mistake in a description whose rest can be used.
std::vector<DeviceDescription> chosen_descriptions();

} // namespace hostcl::runtime

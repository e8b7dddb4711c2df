#pragma once

#include "runtime/description/description.hpp"

namespace hostcl::runtime {

/// The descriptions that HOSTCL_DEVICE names, in order. A name or a file that cannot be used is reported and left out;
/// so is what is wrong with a description that can be used.
std::vector<DeviceDescription> chosen_descriptions();

} // namespace hostcl::runtime

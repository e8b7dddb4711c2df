#pragma once

#include <string>

namespace hostcl::compiler {

/// Identifies this build of the driver: two builds that may compile differently never share it.
const std::string& build_id();

} // namespace hostcl::compiler

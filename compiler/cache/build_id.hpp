#pragma once

#include <string>

namespace hostcl::compiler {

/// Identifies this build of the driver. Two builds that may compile differently never have the same id.
const std::string& build_id();

} // namespace hostcl::compiler

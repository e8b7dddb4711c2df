#pragma once

#include "doctor/report.hpp"

namespace hostcl::doctor {

/// Checks environment variables: HOSTCL_*, which may be misspelt, and variables of other programs that choose devices.
void check_settings(Report& report);

} // namespace hostcl::doctor

#pragma once

#include "doctor/report.hpp"

namespace hostcl::doctor {

/// Variables of the environment: HOSTCL_*, of which some may be misspelt, and those of others that choose devices.
void check_settings(Report& report);

} // namespace hostcl::doctor

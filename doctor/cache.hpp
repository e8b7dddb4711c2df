#pragma once

#include "doctor/report.hpp"

namespace hostcl::doctor {

/// The folder of compiled programs, opened and written to as the driver does it.
void check_cache(Report& report);

} // namespace hostcl::doctor

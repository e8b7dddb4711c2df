#pragma once

#include "doctor/report.hpp"

namespace hostcl::doctor {

/// Checks the cache folder: opens it and writes to it as the driver does.
void check_cache(Report& report);

} // namespace hostcl::doctor

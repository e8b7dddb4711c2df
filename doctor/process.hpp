#pragma once

// What the driver may use of the machine, and what keeps it from it: processors, limits, filters.

#include "doctor/report.hpp"

namespace hostcl::doctor {

void check_process(Report& report);

} // namespace hostcl::doctor

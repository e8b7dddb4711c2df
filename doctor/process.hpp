#pragma once

// Checks what the process may use of the machine, and what prevents the driver from using it: processors, limits,
// filters of system calls.

#include "doctor/report.hpp"

namespace hostcl::doctor {

void check_process(Report& report);

} // namespace hostcl::doctor

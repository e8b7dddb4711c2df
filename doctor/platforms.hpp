#pragma once

// Checks which platforms and devices an application sees through the loader, and whether a kernel runs on hostcl.

#include "doctor/icd_library.hpp"
#include "doctor/loader.hpp"

#include <vector>

namespace hostcl::doctor {

/// Reports platforms and devices in the loader's order.
/// @param drivers the drivers that the loader should have found
/// @returns whether hostcl is among the platforms
bool check_platforms(Report& report, const Loader& loader, const std::vector<Driver>& drivers);

/// Builds a kernel on hostcl's device, runs it and compares the result (kernel.cpp).
void check_kernel(Report& report, const Loader& loader);

} // namespace hostcl::doctor

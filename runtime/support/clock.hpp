#pragma once

#include <cstdint>

namespace hostcl::runtime {

/// Nanoseconds of the clock of profiling and clGetHostTimer.
std::uint64_t now_ns();

} // namespace hostcl::runtime

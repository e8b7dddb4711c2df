#pragma once

#include <cstdint>

namespace hostcl::runtime {

/// Nanoseconds of the clock of profiling and clGetHostTimer.
std::uint64_t now_ns();
/// Nanoseconds between two values of that clock: 1, or a tick of the system where no timer of the machine is finer.
std::uint64_t resolution_ns();

/// Nanoseconds for which the calling thread has had a processor. A system call.
std::uint64_t thread_ns();

} // namespace hostcl::runtime

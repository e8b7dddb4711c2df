#pragma once

#include <cstdint>

namespace hostcl::runtime {

/// The time in nanoseconds, by the clock of event profiling and clGetHostTimer().
std::uint64_t now_ns();
/// The resolution of now_ns() in nanoseconds: 1, or a tick of Linux on a machine without a finer timer.
std::uint64_t resolution_ns();

/// A clock that advances every few milliseconds. Reading it takes a fraction of the time of now_ns().
std::uint64_t coarse_ns();

/// CPU time of the calling thread in nanoseconds. Takes a system call.
std::uint64_t thread_ns();

} // namespace hostcl::runtime

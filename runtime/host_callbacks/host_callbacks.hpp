#pragma once

// The host callbacks: functions that machine code of kernels calls.

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime {

/// All host callbacks. Each context has a copy with its own abi::HostCallbacks::context.
const abi::HostCallbacks& host_callbacks();

} // namespace hostcl::runtime

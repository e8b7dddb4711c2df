#pragma once

// The host callbacks: functions that machine code of kernels calls.

#include "compiler/abi/launch.hpp"

namespace hostcl::runtime {

/// All host callbacks. Each context has a copy with its own abi::Services::context.
const abi::Services& services();

} // namespace hostcl::runtime

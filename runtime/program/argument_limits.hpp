#pragma once

#include "compiler/compiler.hpp"
#include "runtime/description/limits.hpp"
#include "runtime/support/result.hpp"

namespace hostcl::runtime {

/// Checks the number and the size of a kernel's arguments for clEnqueueNDRangeKernel (OpenCL 3.0 API, 5.10). Called
/// only for described devices, because the host's limits are those of the compiler.
/// @returns CL_OUT_OF_RESOURCES if a limit is exceeded
Status check_argument_limits(const Limits& limits, const compiler::KernelSignature& signature);

} // namespace hostcl::runtime

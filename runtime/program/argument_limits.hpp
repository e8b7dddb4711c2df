#pragma once

#include "compiler/compiler.hpp"
#include "runtime/description/limits.hpp"
#include "runtime/support/result.hpp"

namespace hostcl::runtime {

/// Checks the number and the size of a kernel's arguments. The host's limits are those of the compiler, so only kernels of
/// described devices are checked. @returns CL_OUT_OF_RESOURCES, as clEnqueueNDRangeKernel
Status check_argument_limits(const Limits& limits, const compiler::KernelSignature& signature);

} // namespace hostcl::runtime

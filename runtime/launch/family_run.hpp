#pragma once

#include "compiler/compiler.hpp"
#include "runtime/launch/family.hpp"
#include "runtime/threads/parallel.hpp"

#include <cstdint>

namespace hostcl::runtime {

/// Runs a launch of a kernel that may enqueue others, and all of its descendants.
/// @param choice machine code for the launch
/// @param default_queue default queue of the device, which get_default_queue() returns to kernels; null if
/// there is none
/// @param kernel_end set to the time when the kernel's own work-items had ended
/// @returns CL_COMPLETE, or the first error
cl_int run_family(const LaunchRecord& launch, compiler::KernelChoice choice, const Context& context,
                  const Device& device, Workers& workers, const Ref<DeviceQueue>& default_queue,
                  std::uint64_t& kernel_end);

} // namespace hostcl::runtime

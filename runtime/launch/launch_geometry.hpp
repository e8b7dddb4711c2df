#pragma once

// Sizes of NDRange commands: the specification's checks and the choice of a local size.

#include "compiler/abi/launch.hpp"
#include "runtime/program/kernel.hpp"
#include "runtime/program/nd_range.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hostcl::runtime {

/// The sizes of an NDRange command, checked in the order of clEnqueueNDRangeKernel's errors.
/// @param local_bytes bytes of local memory of a group
/// @param uniform_groups whether work-groups must divide the NDRange
Result<abi::NDRange> checked_nd_range(const Device& device, const Kernel& kernel, std::uint64_t local_bytes,
                                      bool uniform_groups, cl_uint work_dim, const std::size_t* global_offset,
                                      const std::size_t* global_size, const std::size_t* local_size);

/// The sizes of a kernel that another enqueues; nothing if the ndrange is not valid for it.
std::optional<abi::NDRange> block_range(const abi::BlockRange& given, const LoadedKernel& kernel,
                                        const Device& device);
} // namespace hostcl::runtime

#pragma once

// Sizes of an ND-range: the checks that the specification asks for, and the choice of a local size.

#include "compiler/abi/launch.hpp"
#include "runtime/program/kernel.hpp"
#include "runtime/program/nd_range.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hostcl::runtime {

/// The sizes of an NDRange command, checked in the order in which clEnqueueNDRangeKernel lists its errors.
/// Chooses a local size if the application gives none.
/// @param local_bytes bytes of local memory that a group needs
/// @param uniform_groups whether the local size must divide the global size
Result<abi::NDRange> checked_nd_range(const Device& device, const Kernel& kernel, std::uint64_t local_bytes,
                                      bool uniform_groups, cl_uint work_dim, const std::size_t* global_offset,
                                      const std::size_t* global_size, const std::size_t* local_size);

/// The sizes of a kernel that a kernel enqueues; nothing if its ndrange_t is not valid for the enqueued
/// kernel.
std::optional<abi::NDRange> block_range(const abi::BlockRange& given, const LoadedKernel& kernel,
                                        const Device& device);
} // namespace hostcl::runtime

#pragma once

// Sizes of NDRange commands: the specification's checks and the choice of a local size.

#include "compiler/abi.hpp"
#include "runtime/program/kernel.hpp"
#include "runtime/queue/queue.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace hostcl::runtime {

/// The sizes of an NDRange command, checked in the order of clEnqueueNDRangeKernel's errors.
/// @param uniform_groups whether work-groups must divide the NDRange
Result<abi::NDRange> checked_nd_range(const Queue& queue, const Kernel& kernel, bool uniform_groups,
                                      cl_uint work_dim, const std::size_t* global_offset,
                                      const std::size_t* global_size, const std::size_t* local_size);

/// The sizes of a kernel that another enqueues; nothing if the ndrange is not valid for it.
std::optional<abi::NDRange> block_range(const abi::BlockRange& given, const LoadedKernel& kernel,
                                        const Device& device);
/// The same for a launch whose groups need so much local memory.
Result<abi::NDRange> checked_nd_range(const Device& device, const Kernel& kernel, std::uint64_t local_bytes,
                                      bool uniform_groups, cl_uint work_dim, const std::size_t* global_offset,
                                      const std::size_t* global_size, const std::size_t* local_size);

/// One group of this size, for questions about machine code.
abi::NDRange single_group(std::array<std::size_t, 3> local_size);

inline std::uint64_t group_total(const abi::NDRange& range) {
  return range.group_count[0] * range.group_count[1] * range.group_count[2];
}
inline std::uint64_t items_per_group(const abi::NDRange& range) {
  return range.local_size[0] * range.local_size[1] * range.local_size[2];
}
inline std::uint64_t item_total(const abi::NDRange& range) {
  return range.global_size[0] * range.global_size[1] * range.global_size[2];
}

} // namespace hostcl::runtime

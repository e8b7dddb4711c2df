#pragma once

// The contract between JIT-compiled kernels and the runtime that launches them. Plain data, no dependencies:
// the passes in compiler/passes/ emit loads at these offsets, runtime/ fills the structures in.

#include <cstddef>
#include <cstdint>

namespace hostcl::abi {

/// Work-items of the largest group, CL_DEVICE_MAX_WORK_GROUP_SIZE. Machine code relies on it.
inline constexpr std::uint64_t max_group_items = 4096;

/// One NDRange command, read-only while it runs. All sizes count work-items or work-groups;
/// unused dimensions have size 1 and offset 0.
struct Launch {
  std::uint64_t global_size[3];
  std::uint64_t global_offset[3];
  /// The enqueued local size. The last group of a dimension is smaller when it does not divide global_size.
  std::uint64_t local_size[3];
  /// ceil(global_size / local_size) for each dimension.
  std::uint64_t group_count[3];
  std::uint32_t work_dim;
  std::uint32_t reserved;
};

/// Runs the work-groups [first_group, last_group) of a launch, in ascending order, on the calling thread.
/// A group's linear number is x + group_count[0] * (y + group_count[1] * z).
///
/// `args` is the packed argument block, described by compiler::KernelArgument::offset: values as they are,
/// buffers as host addresses (null allowed), counters as addresses of their cells, `local` arguments as a
/// uint64_t byte offset from `local_memory`, a multiple of scratch_alignment; where the type that the pointer
/// points to has a larger alignment, the kernel moves the pointer up to it, and the memory is that much
/// larger. `local_memory` (aligned to scratch_alignment) holds the kernel's static local variables from
/// offset 0, then the `local` arguments. `context` (aligned likewise) has
/// compiler::KernelCode::context_bytes() bytes; both are the calling thread's own and need not be
/// initialised.
using Entry = void (*)(const Launch* launch, const std::byte* args, std::byte* local_memory,
                       std::byte* context, std::uint64_t first_group, std::uint64_t last_group);

/// Alignment of every block of local memory, of every object in it, and of every context: that of the largest
/// types, long16 and double16.
inline constexpr std::size_t scratch_alignment = 128;

} // namespace hostcl::abi

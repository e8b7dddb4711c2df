#pragma once

// The shadow of the device's memory for HOSTCL_CHECK=uninitialised (compiler/passes/checks/shadow_memory.hpp): which bits
// have not been written. Memory begins as written; buffers without contents and device allocations do not. What commands
// copy keeps its bits; what the host may write at any time, as mapped and shared memory, counts as written.

#include "runtime/support/box.hpp"

#include <cstddef>

namespace hostcl::runtime::checks {

/// Reserves addresses for the shadow of all memory that the process may have. Without it, kernels with this check must
/// not run. @returns false if the system does not allow it
bool reserve_shadow();

// Each does nothing unless the check is on.

/// A new object that has no contents yet.
void note_unwritten(const void* object, std::size_t bytes);
/// The object goes; its memory may be used for anything.
void forget_unwritten(const void* object);
/// The host writes to memory, or may do so from now on.
void note_written(const void* to, std::size_t bytes);
void note_written(const std::byte* memory, const Box& box);
/// A command copies memory. The source may be the host's.
void note_copied(const void* to, const void* from, std::size_t bytes);
void note_copied(const std::byte* to, const Box& to_box, const std::byte* from, const Box& from_box);

} // namespace hostcl::runtime::checks

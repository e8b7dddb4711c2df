#pragma once

// HOSTCL_CHECK=uninitialised: shadow memory of the device's memory
// (compiler/passes/checks/shadow_memory.hpp), which says which bits have not been written. All memory counts
// as written, except for buffers that are created without contents, and device allocations. Copies by
// commands copy the shadow as well. Memory that the host may write at any time, such as mapped or shared
// memory, counts as written.

#include "runtime/support/rect.hpp"

#include <cstddef>

namespace hostcl::runtime::checks {

/// Reserves addresses for the shadow of all memory that the process may have. Kernels with this check must
/// not run without it.
/// @returns false if the system does not allow it
bool reserve_shadow();

// These functions do nothing unless the check is on.

/// A new object has no contents yet.
void note_unwritten(const void* object, std::size_t bytes);
/// An object is destroyed, and its memory may be used for anything.
void forget_unwritten(const void* object);
/// The host writes to memory, or may do so from now on.
void note_written(const void* to, std::size_t bytes);
void note_written(const std::byte* memory, const Rect& rect);
/// A command copies memory. The source may be memory of the host.
void note_copied(const void* to, const void* from, std::size_t bytes);
void note_copied(const std::byte* to, const Rect& to_rect, const std::byte* from, const Rect& from_rect);

} // namespace hostcl::runtime::checks

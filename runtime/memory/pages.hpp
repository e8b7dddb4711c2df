#pragma once

// Memory of buffers and SVM.

#include <cstddef>

namespace hostcl::runtime {

/// Pages that are uninitialised unless HOSTCL_CLEAR is on; page-aligned, in huge pages where that pays. Freed blocks are given out again without
/// being cleared: the kernel's clearing of new pages takes longer than most uses of a buffer.
/// @returns null if there is not enough memory.
std::byte* allocate_pages(std::size_t bytes, std::size_t alignment);
void free_pages(std::byte* memory);
/// Makes a part of such pages zero without writing to it: huge pages go back to the kernel, which clears each
/// one when it is next touched, as it does for calloc(). That costs as much as writing zeros, but the thread
/// that uses the memory pays; so it is done where most of the part has not been touched since the kernel gave
/// it, or if `even_if_used`.
/// @returns false if it does not pay or is not possible; the contents are then undefined
bool clear_pages(std::byte* memory, std::size_t bytes, bool even_if_used);
/// Whether all addresses of a range have pages.
bool is_mapped(const void* memory, std::size_t bytes);

} // namespace hostcl::runtime

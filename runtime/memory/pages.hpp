#pragma once

// Allocates the memory of buffers and SVM.

#include <cstddef>

namespace hostcl::runtime {

/// Allocates page-aligned memory, in huge pages if it is large. It is uninitialised unless HOSTCL_CLEAR is
/// on. Freed blocks are reused without being cleared, because Linux takes longer to zero new pages than most
/// commands take on a buffer.
/// @returns null if there is not enough memory
std::byte* allocate_pages(std::size_t bytes, std::size_t alignment);
void free_pages(std::byte* memory);
/// Zeroes a part of such memory without writing it: huge pages go back to Linux, which zeroes each page when
/// it is next touched, as for calloc(). This is not cheaper than writing zeros, but the threads that use the
/// memory share the cost. So it is only done if most of the part has not been touched since Linux provided
/// it, or if `even_if_used`.
/// @returns false if it is not worth it or not possible; the contents are undefined then
bool clear_pages(std::byte* memory, std::size_t bytes, bool even_if_used);
/// Whether all addresses of the range are mapped.
bool is_mapped(const void* memory, std::size_t bytes);

} // namespace hostcl::runtime

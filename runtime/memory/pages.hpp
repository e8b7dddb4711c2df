#pragma once

// Allocates the memory of buffers and SVM.

#include "runtime/context/context.hpp"

#include <cstddef>

namespace hostcl::runtime {

/// Allocates memory that is aligned to `least_page_bytes`, or to pages if it has 1 MiB or more. Large blocks get huge
/// pages. The memory is uninitialised. Freed blocks are reused without being cleared, because Linux takes longer to
/// zero new pages than most commands take on a buffer.
/// @returns null if there is not enough memory
std::byte* allocate_pages(std::size_t bytes, std::size_t alignment);
void free_pages(std::byte* memory);
/// Allocates memory that kernels of the context can use: by allocate_pages(), or from the context's CodeHost if it has
/// one. Context::fill() says which value each byte has. For 8 MiB or more of a CodeHost's memory, Linux provides huge
/// pages at once, unless all memory objects together take more than half of the machine's memory.
std::byte* allocate_for(Context& context, std::size_t bytes, std::size_t alignment);
void free_for(Context& context, std::byte* memory);
/// Zeroes a range of memory from allocate_pages(), mostly without writing it: the whole huge pages in the range are
/// returned to Linux, which zeroes each page when a thread next touches it. The bytes before and after these pages are
/// written. In total this is as expensive as writing zeros, but the threads that touch the memory share the work. It is
/// done only if at most half of the huge pages' bytes are resident, or if `even_if_used`.
/// @returns false if the range is too small, in use, or could not be returned to Linux; its contents are undefined then
bool clear_pages(std::byte* memory, std::size_t bytes, bool even_if_used);
/// Whether all addresses of the range are mapped.
bool is_mapped(const void* memory, std::size_t bytes);

} // namespace hostcl::runtime

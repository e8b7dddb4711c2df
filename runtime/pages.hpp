#pragma once

// Memory of buffers and SVM.

#include <cstddef>

namespace hostcl::runtime {

/// Uninitialised pages; page-aligned, in huge pages where that pays. What has been freed is given out again
/// without being cleared: the kernel's clearing of new pages takes longer than most uses of a buffer.
/// @returns null if there is not enough memory.
std::byte* allocate_pages(std::size_t bytes, std::size_t alignment);
void free_pages(std::byte* memory);

} // namespace hostcl::runtime

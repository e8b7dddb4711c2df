#pragma once

// Counts the locks and once flags that a thread of the compiler holds. LLVM and clang are compiled without
// support for exceptions: if an exception or a jump leaves their frames, nothing is released, and the next
// compilation would wait for ever. Therefore the compiler's work is not ended while its thread holds a lock
// or once flag: a request to stop is delayed until the count is 0, and an allocation that fails gets memory
// from a reserve. The linker redirects the driver's calls of the C library's functions for locks and memory
// to functions that count (icd/locks.cpp, icd/allocations.cpp).

#include <cstddef>

namespace hostcl::compiler {

/// The number of locks and once flags that a compiler thread holds; far below 0 on other threads.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local int held_count;

/// Makes the calling thread a compiler thread, which counts what it holds.
void count_holds();

/// Fills the reserve, on any thread. @returns false if memory is short
bool fill_reserve();

/// A block of malloc() from the reserve, for an allocation that has failed; null if the allocation may fail.
void* reserved_memory(std::size_t bytes) noexcept;

} // namespace hostcl::compiler

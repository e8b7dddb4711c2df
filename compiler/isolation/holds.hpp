#pragma once

// Counts the holds of a compiler thread: the locks and once flags that the thread holds. LLVM and clang are compiled
// without support for exceptions: if an exception or a jump leaves their frames, they release nothing, and the next
// compilation would wait for ever. So the work of a compiler thread is not ended while the thread has holds: a
// cancellation request is delayed, and an allocation that fails gets memory from a reserve. The linker redirects the
// driver's calls of the C library to functions that count (icd/locks.cpp, icd/allocations.cpp).

#include <cstddef>

namespace hostcl::compiler {

/// The number of locks and once flags that a compiler thread holds; far below 0 on other threads.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local int held_count;

/// From now on the calling thread counts as a compiler thread.
void count_holds();

/// Fills the reserve, on any thread. @returns false if memory is short
bool fill_reserve();

/// For an allocation that has failed: a block of malloc() from the reserve if this thread has holds; null if the
/// allocation may fail.
void* reserved_memory(std::size_t bytes) noexcept;

} // namespace hostcl::compiler

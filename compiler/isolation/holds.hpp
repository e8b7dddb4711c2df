#pragma once

// Locks and once flags that a thread of the compiler holds. LLVM and clang are compiled without exceptions: where one
// passes through their frames, or a jump leaves them, nothing releases what they hold, and the next compilation waits
// for it forever. So nothing ends the compiler's work meanwhile: a wish to stop waits, and an allocation that fails
// gets memory from a reserve. The linker has the driver's calls of the C library come here (icd/locks.cpp,
// icd/allocations.cpp).

#include <cstddef>

namespace hostcl::compiler {

/// How many the thread holds, if it is one of the compiler's; far below 0 on others.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local int held_count;

/// From now on the thread is one of the compiler's.
void count_holds();

/// Has the reserve complete, on any thread. @returns false if there is no memory for it
bool fill_reserve();

/// A block of malloc() for an allocation that has failed, or null if it may fail.
void* reserved_memory(std::size_t bytes) noexcept;

} // namespace hostcl::compiler

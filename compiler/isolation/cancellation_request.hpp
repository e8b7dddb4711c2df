#pragma once

namespace hostcl::compiler {

/// Throws if this thread has been asked to end its work for the compiler (a cancellation request). Called by each
/// allocation of the driver (icd/allocations.cpp).
void throw_if_cancelled();

/// Ends this thread's work for the compiler if the stack has overflowed in a function of the C library.
/// Called at the beginning of each allocation of the driver, when the thread holds no lock of malloc().
void leave_if_overflowed() noexcept;

/// The reason of the cancellation request to this thread, even if the request has been fulfilled; null if there was
/// none.
const char* cancellation_reason();

/// Records that an allocation of this thread has failed, so that a crash which follows counts as a lack of
/// memory.
void note_lack_of_memory() noexcept;

} // namespace hostcl::compiler

#pragma once

namespace hostcl::compiler {

/// Throws if this thread is to stop its work for the compiler. Called by each allocation of the driver
/// (icd/allocations.cpp).
void throw_if_stopped();

/// Ends this thread's work for the compiler if its stack has overflowed in a function of the C library. Called by each
/// allocation of the driver before it begins, when no lock of malloc() is held.
void leave_if_overflowed() noexcept;

/// Why this thread was asked to stop its work for the compiler, whether that has been granted or not; or null.
const char* why_stopped();

/// Says that one of this thread's allocations has failed: a crash that follows is for lack of memory.
void note_lack_of_memory() noexcept;

} // namespace hostcl::compiler

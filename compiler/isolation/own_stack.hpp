#pragma once

// Calls a function on another stack than the thread's own.

#include <cstddef>

namespace hostcl {

/// Calls function(argument), which throws nothing, on the given memory as the calling thread's stack. Signal handlers
/// without a stack of their own run there as well. Debuggers and exceptions see no frames beyond this call. When the
/// function returns, the thread gets the signal mask that it had before: a change on the other stack is undone.
/// @param lowest the stack's lowest byte
/// @returns false if the function was not called
bool call_on_stack(void* lowest, std::size_t bytes, void (*function)(void*), void* argument) noexcept;

} // namespace hostcl

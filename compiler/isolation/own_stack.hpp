#pragma once

// Calls a function on another stack than the thread's own, and switches between several stacks.

#include <cstddef>

#include <ucontext.h>

namespace hostcl {

/// Calls function(argument), which throws nothing, on the given memory as the calling thread's stack. Signal handlers
/// without a stack of their own run there as well. Debuggers and exceptions see no frames beyond this call. When the
/// function returns, the thread gets the signal mask that it had before: a change on the other stack is undone.
/// @param lowest the stack's lowest byte
/// @returns false if the function was not called
bool call_on_stack(void* lowest, std::size_t bytes, void (*function)(void*), void* argument) noexcept;

/// The state of code that has left its stack and will continue there: registers, floating-point environment and signal
/// mask.
struct StackPlace {
  ucontext_t registers;
  /// The stack: known once the code has left it. For AddressSanitizer.
  const void* lowest = nullptr;
  std::size_t bytes = 0;
  /// ThreadSanitizer's handle of the stack. `made` is the same handle if make_place() has created it, otherwise null.
  void *thread = nullptr, *made = nullptr;

  StackPlace() = default;
  ~StackPlace();
  StackPlace(const StackPlace&) = delete;
};

/// Whether the process contains ThreadSanitizer, which can tell at most 8,128 threads and stacks apart.
bool has_thread_sanitizer();

/// Prepares `place` so that the first switch to the place calls function(argument) on the given memory as its stack.
/// The function must neither throw nor return. @returns false if the place could not be made
bool make_place(StackPlace& place, void* lowest, std::size_t bytes, void (*function)(void*),
                void* argument) noexcept;

/// Leaves the stack on which the calling thread runs, and goes on at a place of the same thread. Returns when the
/// thread goes on at `left`.
void switch_stack(StackPlace& left, const StackPlace& place) noexcept;

} // namespace hostcl

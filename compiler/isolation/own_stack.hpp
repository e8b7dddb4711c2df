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

/// Where code that has left its stack goes on, with its registers, its floating-point environment and its signal mask.
struct StackPlace {
  ucontext_t registers;
  /// The stack: known once the code has left it. For AddressSanitizer.
  const void* lowest = nullptr;
  std::size_t bytes = 0;
  /// What ThreadSanitizer knows of the stack, and whether make_place() has made it.
  void *thread = nullptr, *made = nullptr;

  StackPlace() = default;
  ~StackPlace();
  StackPlace(const StackPlace&) = delete;
};

/// Whether the process contains ThreadSanitizer, which can tell at most 8,128 threads and stacks apart.
bool has_thread_sanitizer();

/// Makes a place on the given memory from which function(argument) is called. The function must neither throw nor
/// return. @returns false if it cannot
bool make_place(StackPlace& place, void* lowest, std::size_t bytes, void (*function)(void*),
                void* argument) noexcept;

/// Leaves the stack on which the calling thread runs, and goes on at a place of the same thread. Returns when the
/// thread goes on at `left`.
void switch_stack(StackPlace& left, const StackPlace& place) noexcept;

} // namespace hostcl

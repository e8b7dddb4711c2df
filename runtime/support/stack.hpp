#pragma once

// How much stack the calling thread has left, and another stack for it. Blocking calls run commands on the thread that makes
// them, which may have little: 16 KB are enough for POSIX, coroutines have 64.

#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

/// What the driver takes around kernels and below them, where printf takes most.
inline constexpr std::uintptr_t stack_for_driver = 14 << 10;
/// What a thread needs to run commands: the driver's, 24 KB for a kernel's variables (compiler/passes/codegen/large_private.hpp),
/// and the rest for registers that kernels spill. A kernel that takes more runs on another stack where the thread has
/// too little for it.
inline constexpr std::uintptr_t stack_for_kernels = 34 << 10,
                                stack_for_commands = stack_for_kernels + stack_for_driver;

/// Where the calling thread's stack ends; 0 until note_stack_end().
[[gnu::tls_model("initial-exec")]] extern constinit thread_local std::uintptr_t stack_end;
void note_stack_end();

/// Whether the thread has less than `bytes`. False where a coroutine runs on a stack that the thread knows nothing of.
inline bool lacks_stack(std::uintptr_t bytes = stack_for_commands) {
  if (stack_end == 0) [[unlikely]]
    note_stack_end();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - stack_end < bytes;
}

/// Calls function(argument), which throws nothing, on a stack of its own with a megabyte more than `bytes`, below which is
/// inaccessible memory. The thread keeps that stack for its next call. It is the calling thread that runs the function:
/// the process may be allowed no more threads.
/// @returns false if there is no memory for the stack
bool call_on_new_stack(std::size_t bytes, void (*function)(void*), void* argument) noexcept;
template <class Function>
bool call_on_new_stack(std::size_t bytes, Function& function) noexcept {
  return call_on_new_stack(bytes, [](void* argument) { (*static_cast<Function*>(argument))(); }, &function);
}

} // namespace hostcl::runtime

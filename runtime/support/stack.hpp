#pragma once

// Tells how much stack the calling thread has left, and provides another stack. Blocking calls run commands on the
// thread of the application that makes the call, and its stack may be small: POSIX allows 16 KB, and coroutines often
// have 64 KB.

#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

/// The stack that the driver needs in functions that call kernels and that kernels call; printf() needs most.
inline constexpr std::uintptr_t stack_for_driver = 14 << 10;
/// The stack that a thread needs to run commands: stack_for_driver, 24 KB for a kernel's variables
/// (compiler/passes/codegen/large_private.hpp), and 10 KB for registers that kernels spill. A kernel that needs more
/// runs on another stack if the thread's stack is too small.
inline constexpr std::uintptr_t stack_for_kernels = 34 << 10,
                                stack_for_commands = stack_for_kernels + stack_for_driver;

/// The lowest address of the calling thread's stack; 0 until note_stack_end() has been called.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local std::uintptr_t stack_end;
void note_stack_end();

/// Whether less than `bytes` of the thread's stack are left. False in a coroutine whose stack the driver does not know.
inline bool lacks_stack(std::uintptr_t bytes = stack_for_commands) {
  if (stack_end == 0) [[unlikely]]
    note_stack_end();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - stack_end < bytes;
}

/// Calls function(argument), which throws nothing, on another stack of `bytes` and a megabyte more, with inaccessible
/// memory below. The thread keeps that stack for its next call. The function runs on the calling thread, and not on a
/// new one, because the process may be allowed no more threads.
/// @returns false if there is no memory for the stack
bool call_on_new_stack(std::size_t bytes, void (*function)(void*), void* argument) noexcept;
template <class Function>
bool call_on_new_stack(std::size_t bytes, Function& function) noexcept {
  return call_on_new_stack(bytes, [](void* argument) { (*static_cast<Function*>(argument))(); }, &function);
}

} // namespace hostcl::runtime

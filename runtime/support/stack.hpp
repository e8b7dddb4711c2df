#pragma once

// How much stack the calling thread has left. Blocking calls run commands on the thread that makes them, which may have
// little: 16 KB are enough for POSIX, coroutines have 64.

#include <cstdint>

namespace hostcl::runtime {

/// What running commands takes at most: 24 KB for a kernel's variables (compiler/passes/codegen/large_private.hpp),
/// 14 KB for the driver around and below them, where printf takes most, and the rest for registers that kernels spill.
inline constexpr std::uintptr_t stack_for_commands = 48 << 10;

/// Where the calling thread's stack ends; 0 until note_stack_end().
[[gnu::tls_model("initial-exec")]] extern constinit thread_local std::uintptr_t stack_end;
void note_stack_end();

/// Whether the thread has less than that. False where a coroutine runs on a stack that the thread knows nothing of.
inline bool lacks_stack() {
  if (stack_end == 0) [[unlikely]]
    note_stack_end();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - stack_end < stack_for_commands;
}

} // namespace hostcl::runtime

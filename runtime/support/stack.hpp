#pragma once

// Tells how much stack the calling thread has left, and provides another stack. Blocking calls run commands on the
// thread of the application that makes the call, and its stack may be small: POSIX allows 16 KB, and coroutines often
// have 64 KB.

#include <cstddef>
#include <cstdint>

namespace hostcl::runtime {

/// Bytes of stack for the driver's own functions: those between the API call and the kernel, and the host callbacks
/// that the kernel calls. The callback of printf() needs the most.
inline constexpr std::uintptr_t stack_for_driver = 14 << 10;
/// stack_for_kernels: bytes of stack for a kernel, 24 KiB for variables (compiler/code/pipeline/pipeline.cpp has this
/// limit) and 10 KiB for spilled registers. A kernel that needs more runs on another stack if the thread's stack is too
/// small.
/// stack_for_commands: bytes of stack that a thread needs to run commands.
inline constexpr std::uintptr_t stack_for_kernels = 34 << 10,
                                stack_for_commands = stack_for_kernels + stack_for_driver;

/// The lowest address of the stack that the calling thread runs on, which is another stack during call_on_new_stack().
/// 0 until note_stack_end() has been called, and 1 if the address cannot be found.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local std::uintptr_t stack_end;
void note_stack_end();

/// Whether less than `bytes` of the thread's stack are left. False in a coroutine of the application, because the
/// driver does not know the coroutine's stack.
inline bool lacks_stack(std::uintptr_t bytes = stack_for_commands) {
  if (stack_end == 0) [[unlikely]]
    note_stack_end();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - stack_end < bytes;
}

/// The memory of a stack, which begins with inaccessible memory.
struct OtherStack {
  std::byte* memory = nullptr;
  std::size_t bytes = 0; ///< 0 if there is no stack

  std::byte* lowest() const { return memory + guard_bytes; }
  std::size_t usable_bytes() const { return bytes - guard_bytes; }
  static constexpr std::size_t guard_bytes = 64 << 10; ///< inaccessible; a multiple of all page sizes
};
/// A stack of at least so many bytes; none if there is no memory.
OtherStack map_stack(std::size_t usable_bytes) noexcept;
void unmap(const OtherStack& stack) noexcept;

/// Calls function(argument), which throws nothing, on another stack of at least `bytes` and 1 MiB more, with
/// inaccessible memory below. The thread keeps the stack for its next call, unless the call is nested in another one.
/// The function runs on the calling thread, because the process may not be allowed to start another thread.
/// @returns false if the function was not called, usually because there is no memory for the stack
bool call_on_new_stack(std::size_t bytes, void (*function)(void*), void* argument) noexcept;
template <class Function>
bool call_on_new_stack(std::size_t bytes, Function& function) noexcept {
  return call_on_new_stack(bytes, [](void* argument) { (*static_cast<Function*>(argument))(); }, &function);
}

} // namespace hostcl::runtime

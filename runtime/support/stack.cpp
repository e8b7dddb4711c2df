#include "runtime/support/stack.hpp"

#include "compiler/abi/align.hpp"
#include "compiler/isolation/own_stack.hpp"

#include <utility>

#include <pthread.h>
#include <sys/mman.h>

namespace hostcl::runtime {

constinit thread_local std::uintptr_t stack_end = 0;

/// Takes microseconds, and on the process's first thread reads a file.
void note_stack_end() {
  stack_end = 1; // far away
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* lowest;
  std::size_t bytes;
  if (pthread_attr_getstack(&attributes, &lowest, &bytes) == 0)
    stack_end = reinterpret_cast<std::uintptr_t>(lowest);
  pthread_attr_destroy(&attributes);
}

bool call_on_new_stack(std::size_t bytes, void (*function)(void*), void* argument) noexcept {
  constexpr std::size_t guard_bytes = 64 << 10; // whole pages, however large they are
  const std::size_t usable_bytes = abi::aligned(bytes + (std::size_t{1} << 20), guard_bytes);
  void* const memory = mmap(nullptr, guard_bytes + usable_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return false;
  std::byte* const lowest = static_cast<std::byte*>(memory) + guard_bytes;
  bool has_run = false;
  if (mprotect(memory, guard_bytes, PROT_NONE) == 0) {
    const std::uintptr_t end_before = std::exchange(stack_end, reinterpret_cast<std::uintptr_t>(lowest));
    has_run = call_on_stack(lowest, usable_bytes, function, argument);
    stack_end = end_before;
  }
  munmap(memory, guard_bytes + usable_bytes);
  return has_run;
}

} // namespace hostcl::runtime

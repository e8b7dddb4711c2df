#include "runtime/support/stack.hpp"

#include "compiler/abi/align.hpp"
#include "compiler/isolation/own_stack.hpp"
#include "runtime/support/thread_end.hpp"

#include <utility>

#include <pthread.h>
#include <sys/mman.h>

namespace hostcl::runtime {

constinit thread_local std::uintptr_t stack_end = 0;

/// Takes microseconds. On the main thread it takes longer, because pthread_getattr_np() reads /proc/self/maps
/// there.
void note_stack_end() {
  stack_end = 1; // if the end is not known: lacks_stack() is false
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* lowest;
  std::size_t bytes;
  if (pthread_attr_getstack(&attributes, &lowest, &bytes) == 0)
    stack_end = reinterpret_cast<std::uintptr_t>(lowest);
  pthread_attr_destroy(&attributes);
}

OtherStack map_stack(std::size_t usable_bytes) noexcept {
  const std::size_t bytes = OtherStack::guard_bytes + abi::aligned(usable_bytes, OtherStack::guard_bytes);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return {};
  if (mprotect(memory, OtherStack::guard_bytes, PROT_NONE) == 0)
    return {static_cast<std::byte*>(memory), bytes};
  munmap(memory, bytes);
  return {};
}

void unmap(const OtherStack& stack) noexcept {
  if (stack.memory) munmap(stack.memory, stack.bytes);
}

namespace {

/// The stack that the thread keeps for its next call. Touching new pages takes longer than many launches.
constinit thread_local OtherStack kept;

void end_kept() {
  unmap(std::exchange(kept, {}));
}

} // namespace

bool call_on_new_stack(std::size_t bytes, void (*function)(void*), void* argument) noexcept {
  bytes += std::size_t{1} << 20;
  OtherStack stack = std::exchange(kept, {}); // a nested call finds none, and maps a stack of its own
  if (stack.bytes < OtherStack::guard_bytes + bytes) {
    unmap(stack);
    stack = map_stack(bytes);
    if (!stack.memory) return false;
  }
  std::byte* const lowest = stack.lowest();
  const std::uintptr_t end_before = std::exchange(stack_end, reinterpret_cast<std::uintptr_t>(lowest));
  const bool has_run = call_on_stack(lowest, stack.usable_bytes(), function, argument);
  stack_end = end_before;
  if (kept.memory || !at_thread_end<end_kept>())
    unmap(stack);
  else
    kept = stack;
  return has_run;
}

} // namespace hostcl::runtime

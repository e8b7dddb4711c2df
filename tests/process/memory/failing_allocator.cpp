#include "failing_allocator.hpp"

// What glibc's allocator is called underneath.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);
}

namespace failing_allocator {

State state;
constinit thread_local bool counting = false;

namespace {

bool must_fail() {
  const Scope scope = state.scope.load(std::memory_order_relaxed);
  if (scope == Scope::none || (scope == Scope::this_thread && !counting)) return false;
  const long number = state.counted.fetch_add(1, std::memory_order_relaxed);
  if (number < state.fail_from.load(std::memory_order_relaxed) ||
      number >= state.fail_to.load(std::memory_order_relaxed))
    return false;
  state.failures.fetch_add(1, std::memory_order_relaxed);
  errno = ENOMEM;
  return true;
}

void* counted(void* block) {
  if (block) state.live_blocks.fetch_add(1, std::memory_order_relaxed);
  return block;
}

} // namespace
} // namespace failing_allocator

using failing_allocator::counted;
using failing_allocator::must_fail;

// Seen by the shared libraries of the process.
#pragma GCC visibility push(default)
extern "C" {

void* malloc(std::size_t bytes) {
  return must_fail() ? nullptr : counted(__libc_malloc(bytes));
}

void* calloc(std::size_t count, std::size_t bytes) {
  return must_fail() ? nullptr : counted(__libc_calloc(count, bytes));
}

void* realloc(void* block, std::size_t bytes) {
  if (must_fail()) return nullptr;
  void* result = __libc_realloc(block, bytes);
  return block ? result : counted(result);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
  return must_fail() ? nullptr : counted(__libc_memalign(alignment, bytes));
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return memalign(alignment, bytes);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  *block = memalign(alignment, bytes);
  return *block ? 0 : ENOMEM;
}

void free(void* block) {
  if (block) failing_allocator::state.live_blocks.fetch_sub(1, std::memory_order_relaxed);
  __libc_free(block);
}
}
#pragma GCC visibility pop

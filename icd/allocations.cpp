// The driver's own operator new and malloc(). Most allocations of the driver are the compiler's, so operator new ends
// the work of a thread with a cancellation request (cancellation_request.hpp). If malloc() fails on a compiler thread
// that holds locks, the block comes from a reserve (holds.hpp). The linker redirects the driver's calls to these
// functions (-Wl,--wrap). Declared in <new> and <stdlib.h>.

#include "compiler/isolation/cancellation_request.hpp"
#include "compiler/isolation/holds.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

#include <malloc.h>

// The linker makes these names.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void* __real__Znwm(std::size_t bytes);
void* __real__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment);

void* __wrap__Znwm(std::size_t bytes) try {
  hostcl::compiler::throw_if_cancelled();
  return __real__Znwm(bytes);
} catch (const std::bad_alloc&) {
  hostcl::compiler::note_lack_of_memory();
  throw;
}

void* __wrap__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment) try {
  hostcl::compiler::throw_if_cancelled();
  return __real__ZnwmSt11align_val_t(bytes, alignment);
} catch (const std::bad_alloc&) {
  hostcl::compiler::note_lack_of_memory();
  throw;
}

void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
int __real_posix_memalign(void** block, std::size_t alignment, std::size_t bytes);
void* __real_realloc(void* block, std::size_t bytes);

void* __wrap_malloc(std::size_t bytes) {
  hostcl::compiler::leave_if_overflowed();
  void* block = __real_malloc(bytes);
  return block ? block : hostcl::compiler::reserved_memory(bytes);
}

void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  hostcl::compiler::leave_if_overflowed();
  if (void* block = __real_calloc(count, bytes)) return block;
  std::size_t total;
  if (__builtin_mul_overflow(count, bytes, &total)) return nullptr;
  void* block = hostcl::compiler::reserved_memory(total);
  return block ? std::memset(block, 0, total) : nullptr;
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  hostcl::compiler::leave_if_overflowed();
  void* block = __real_aligned_alloc(alignment, bytes);
  return block || alignment > alignof(std::max_align_t) ? block : hostcl::compiler::reserved_memory(bytes);
}

/// Since GCC 14, operator new with an alignment calls this function.
int __wrap_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  hostcl::compiler::leave_if_overflowed();
  const int error = __real_posix_memalign(block, alignment, bytes);
  if (error != ENOMEM || alignment > alignof(std::max_align_t)) return error;
  void* reserved = hostcl::compiler::reserved_memory(bytes);
  if (!reserved) return error;
  *block = reserved;
  return 0;
}

void* __wrap_realloc(void* block, std::size_t bytes) {
  hostcl::compiler::leave_if_overflowed();
  void* larger = __real_realloc(block, bytes);
  if (larger || bytes == 0) return larger;
  larger = hostcl::compiler::reserved_memory(bytes);
  if (!larger || !block) return larger;
  std::memcpy(larger, block, std::min(bytes, malloc_usable_size(block)));
  std::free(block);
  return larger;
}
}
// NOLINTEND(bugprone-reserved-identifier)

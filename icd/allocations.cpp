// The driver's own operator new, for most of its allocations are the compiler's: a thread that is to stop compiling
// learns of it there. The linker puts these in place of the C++ library's (-Wl,--wrap).

#include "compiler/stop.hpp"

#include <cstddef>
#include <new>

// The linker makes these names.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

void* __real__Znwm(std::size_t bytes);
void* __real__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment);

void* __wrap__Znwm(std::size_t bytes) try {
  hostcl::compiler::throw_if_stopped();
  return __real__Znwm(bytes);
} catch (const std::bad_alloc&) {
  hostcl::compiler::note_lack_of_memory();
  throw;
}

void* __wrap__ZnwmSt11align_val_t(std::size_t bytes, std::align_val_t alignment) try {
  hostcl::compiler::throw_if_stopped();
  return __real__ZnwmSt11align_val_t(bytes, alignment);
} catch (const std::bad_alloc&) {
  hostcl::compiler::note_lack_of_memory();
  throw;
}
}
// NOLINTEND(bugprone-reserved-identifier)

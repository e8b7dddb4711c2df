#include "runtime/support/stack.hpp"

#include <cstddef>

#include <pthread.h>

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

} // namespace hostcl::runtime

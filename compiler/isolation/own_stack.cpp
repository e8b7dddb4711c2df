#include "compiler/isolation/own_stack.hpp"

#include <utility>

#include <ucontext.h>

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
// Functions of AddressSanitizer's runtime; null if the process does not contain it. Without these calls,
// AddressSanitizer would report an error when an exception or longjmp() leaves frames on a stack that it does not know.
[[gnu::weak, gnu::visibility("default")]] void
__sanitizer_start_switch_fiber(void** saved, const void* lowest, std::size_t bytes);
[[gnu::weak, gnu::visibility("default")]] void
__sanitizer_finish_switch_fiber(void* saved, const void** lowest_before, std::size_t* bytes_before);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace hostcl {

namespace {

bool has_address_sanitizer() {
  return &__sanitizer_start_switch_fiber && &__sanitizer_finish_switch_fiber;
}

struct Call {
  void (*function)(void*);
  void* argument;
};

constinit thread_local const Call* call_to_begin = nullptr; ///< makecontext() passes no pointers

void main_of_stack() {
  const Call call = *std::exchange(call_to_begin, nullptr);
  const void* lowest_before = nullptr;
  std::size_t bytes_before = 0;
  if (has_address_sanitizer()) __sanitizer_finish_switch_fiber(nullptr, &lowest_before, &bytes_before);
  call.function(call.argument);
  if (has_address_sanitizer()) __sanitizer_start_switch_fiber(nullptr, lowest_before, bytes_before);
}

} // namespace

/// This code does not use swapcontext(), because AddressSanitizer prints a warning when it is called.
bool call_on_stack(void* lowest, std::size_t bytes, void (*function)(void*), void* argument) noexcept {
  const Call call{function, argument};
  ucontext_t here, there;
  void* saved = nullptr;
  volatile bool is_back = false;
  if (getcontext(&there) != 0 || getcontext(&here) != 0) return false;
  if (is_back) {
    if (has_address_sanitizer()) __sanitizer_finish_switch_fiber(saved, nullptr, nullptr);
    return true;
  }
  is_back = true;
  there.uc_stack.ss_sp = lowest;
  there.uc_stack.ss_size = bytes;
  there.uc_link = &here;
  call_to_begin = &call;
  makecontext(&there, main_of_stack, 0);
  if (has_address_sanitizer()) __sanitizer_start_switch_fiber(&saved, lowest, bytes);
  setcontext(&there);
  call_to_begin = nullptr; // there was no switch
  return false;
}

} // namespace hostcl

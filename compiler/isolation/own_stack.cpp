#include "compiler/isolation/own_stack.hpp"

#include <cstdint>
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
// The same for ThreadSanitizer, which would not find the setjmp() of a longjmp().
[[gnu::weak, gnu::visibility("default")]] void* __tsan_get_current_fiber();
[[gnu::weak, gnu::visibility("default")]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak, gnu::visibility("default")]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak, gnu::visibility("default")]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
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

/// The stack that the thread has left last.
constinit thread_local StackPlace* left_last = nullptr;

void arrive(void* saved) {
  if (has_address_sanitizer()) __sanitizer_finish_switch_fiber(saved, &left_last->lowest, &left_last->bytes);
}

/// makecontext() passes numbers of type int: the halves of two addresses.
void main_of_place(unsigned function_high, unsigned function_low, unsigned argument_high,
                   unsigned argument_low) {
  const auto joined = [](unsigned high, unsigned low) { return std::uintptr_t{high} << 32 | low; };
  arrive(nullptr);
  reinterpret_cast<void (*)(void*)>(joined(function_high, function_low))(
      reinterpret_cast<void*>(joined(argument_high, argument_low)));
}

} // namespace

bool has_thread_sanitizer() {
  return &__tsan_get_current_fiber && &__tsan_create_fiber && &__tsan_destroy_fiber &&
         &__tsan_switch_to_fiber;
}

StackPlace::~StackPlace() {
  if (made) __tsan_destroy_fiber(made);
}

bool make_place(StackPlace& place, void* lowest, std::size_t bytes, void (*function)(void*),
                void* argument) noexcept {
  if (getcontext(&place.registers) != 0) return false;
  place.registers.uc_stack.ss_sp = lowest;
  place.registers.uc_stack.ss_size = bytes;
  place.registers.uc_link = nullptr;
  place.lowest = lowest;
  place.bytes = bytes;
  const auto high = [](auto* pointer) { return unsigned(reinterpret_cast<std::uintptr_t>(pointer) >> 32); };
  const auto low = [](auto* pointer) { return unsigned(reinterpret_cast<std::uintptr_t>(pointer)); };
  makecontext(&place.registers, reinterpret_cast<void (*)()>(main_of_place), 4, high(function), low(function),
              high(argument), low(argument));
  if (has_thread_sanitizer()) place.thread = place.made = __tsan_create_fiber(0);
  return true;
}

void switch_stack(StackPlace& left, const StackPlace& place) noexcept {
  void* saved = nullptr;
  volatile bool is_back = false;
  if (getcontext(&left.registers) != 0) return;
  if (is_back) return arrive(saved);
  is_back = true;
  left_last = &left;
  if (has_thread_sanitizer()) {
    left.thread = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(place.thread, 0);
  }
  if (has_address_sanitizer()) __sanitizer_start_switch_fiber(&saved, place.lowest, place.bytes);
  setcontext(&place.registers);
}

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

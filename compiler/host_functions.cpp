#include "compiler/host_functions.hpp"

#include "builtins/library.hpp"
#include "compiler/printf.hpp"

#include <cmath>
#include <cstring>

namespace hostcl::compiler {

namespace {

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

} // namespace

std::span<const HostFunction> host_functions() {
  // The code generator itself calls the mem* functions, and libm's where the CPU lacks an instruction.
  static const HostFunction functions[] = {
      {"memcpy", address_of(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memcpy))},
      {"memmove", address_of(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memmove))},
      {"memset", address_of(static_cast<void* (*)(void*, int, std::size_t)>(std::memset))},
      {"__hostcl_printf", address_of(kernel_printf)},
      {"__hostcl_sine_huge", address_of(builtins::sine_of_huge_angle())},
      // Half, on CPUs without half arithmetic.
      {"__truncdfhf2", address_of(+[](double x) { return static_cast<_Float16>(x); })},
      {"__truncsfhf2", address_of(+[](float x) { return static_cast<_Float16>(x); })},
      {"__extendhfsf2", address_of(+[](_Float16 x) { return static_cast<float>(x); })},
      // Atomic minimum and maximum of half become loops around these there.
      {"fminf", address_of(static_cast<float (*)(float, float)>(std::fmin))},
      {"fmaxf", address_of(static_cast<float (*)(float, float)>(std::fmax))},
      {"fma", address_of(static_cast<double (*)(double, double, double)>(std::fma))},
      {"fmaf", address_of(static_cast<float (*)(float, float, float)>(std::fma))},
      {"floor", address_of(static_cast<double (*)(double)>(std::floor))},
      {"floorf", address_of(static_cast<float (*)(float)>(std::floor))},
      {"ceil", address_of(static_cast<double (*)(double)>(std::ceil))},
      {"ceilf", address_of(static_cast<float (*)(float)>(std::ceil))},
      {"trunc", address_of(static_cast<double (*)(double)>(std::trunc))},
      {"truncf", address_of(static_cast<float (*)(float)>(std::trunc))},
      {"rint", address_of(static_cast<double (*)(double)>(std::rint))},
      {"rintf", address_of(static_cast<float (*)(float)>(std::rint))},
      {"round", address_of(static_cast<double (*)(double)>(std::round))},
      {"roundf", address_of(static_cast<float (*)(float)>(std::round))},
  };
  return functions;
}

} // namespace hostcl::compiler

#include "compiler/code/host_functions.hpp"

#include "builtins/library.hpp"
#include "compiler/isolation/trap_handler.hpp"

#include <atomic>
#include <cmath>
#include <cstring>

namespace hostcl::compiler {

namespace {

template <class Function>
void* address_of(Function* function) {
  return reinterpret_cast<void*>(function);
}

using Wide = __int128;
using UnsignedWide = unsigned __int128;

template <class To, class From>
void* converter() {
  return address_of(+[](From x) { return static_cast<To>(x); });
}

std::atomic<void (*)(const abi::TrapSite*)> trap_handler = nullptr;

[[noreturn]] void trap_in_call(const abi::TrapSite* site) {
  if (auto* handler = trap_handler.load(std::memory_order_acquire)) handler(site);
  __builtin_trap();
}

} // namespace

std::uint64_t shadow_mask = std::uint64_t{1} << 46;

void set_trap_handler(void (*handler)(const abi::TrapSite* site)) {
  trap_handler.store(handler, std::memory_order_release);
}

std::span<const HostFunction> host_functions() {
  // The code generator itself makes calls of the mem* functions, and of functions of libm for which the CPU
  // has no instruction.
  static const HostFunction functions[] = {
      {"memcpy", address_of(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memcpy))},
      {"memmove", address_of(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memmove))},
      {"memset", address_of(static_cast<void* (*)(void*, int, std::size_t)>(std::memset))},
      {"__hostcl_trap_in_call", address_of(trap_in_call)},
      {"__hostcl_shadow_mask", &shadow_mask},
      // Conversions of half for CPUs without half arithmetic.
      {"__truncdfhf2", address_of(+[](double x) { return static_cast<_Float16>(x); })},
      {"__truncsfhf2", address_of(+[](float x) { return static_cast<_Float16>(x); })},
      {"__extendhfsf2", address_of(+[](_Float16 x) { return static_cast<float>(x); })},
      // On such CPUs, atomic minimum and maximum of half are loops with these functions.
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
      // Kernels run in rounding to nearest, whatever mode the application has set for itself, so rint() is
      // right.
      {"roundeven", address_of(static_cast<double (*)(double)>(std::rint))},
      {"roundevenf", address_of(static_cast<float (*)(float)>(std::rint))},
      {"round", address_of(static_cast<double (*)(double)>(std::round))},
      {"roundf", address_of(static_cast<float (*)(float)>(std::round))},
      // For clang's _BitInt types with 65 to 128 bits.
      {"__divti3", address_of(+[](Wide a, Wide b) { return a / b; })},
      {"__modti3", address_of(+[](Wide a, Wide b) { return a % b; })},
      {"__udivti3", address_of(+[](UnsignedWide a, UnsignedWide b) { return a / b; })},
      {"__umodti3", address_of(+[](UnsignedWide a, UnsignedWide b) { return a % b; })},
      {"__floattihf", converter<_Float16, Wide>()},
      {"__floattisf", converter<float, Wide>()},
      {"__floattidf", converter<double, Wide>()},
      {"__floatuntihf", converter<_Float16, UnsignedWide>()},
      {"__floatuntisf", converter<float, UnsignedWide>()},
      {"__floatuntidf", converter<double, UnsignedWide>()},
      {"__fixhfti", converter<Wide, _Float16>()},
      {"__fixsfti", converter<Wide, float>()},
      {"__fixdfti", converter<Wide, double>()},
      {"__fixunshfti", converter<UnsignedWide, _Float16>()},
      {"__fixunssfti", converter<UnsignedWide, float>()},
      {"__fixunsdfti", converter<UnsignedWide, double>()},
  };
  return functions;
}

} // namespace hostcl::compiler

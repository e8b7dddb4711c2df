#pragma once

// Finds out, in a signal handler, which code the interrupted thread was running. All functions are
// async-signal-safe.

#include <cstdint>

#include <dlfcn.h>
#include <ucontext.h>

namespace hostcl::compiler {

inline std::uintptr_t program_counter(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.pc;
#else
#error "where the program counter is on this CPU"
#endif
}

enum class Place { driver, library, generated };

/// The kind of code at an address: the driver, another library or the program, or generated code (by a JIT
/// compiler).
inline Place place_of(std::uintptr_t address) {
  static constinit const char mark = 0;
  dl_find_object code{}, own{};
  if (_dl_find_object(reinterpret_cast<void*>(address), &code) != 0) return Place::generated;
  void* const own_address = const_cast<char*>(&mark);
  if (_dl_find_object(own_address, &own) == 0 && own.dlfo_map_start == code.dlfo_map_start)
    return Place::driver;
  return Place::library;
}

} // namespace hostcl::compiler

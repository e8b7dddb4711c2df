#pragma once

// Sets the floating-point environment of the calling thread while kernels run and while the driver computes with
// floating-point numbers. The application may have chosen another rounding mode, exceptions that trap, or subnormal
// numbers that count as zero. Estimates of time are computed without this, because no result of a kernel depends on
// them. The driver's own threads begin with the default environment (compiler/isolation/own_threads.hpp).
// Test: tests/process/rounding.cpp

#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace hostcl::runtime {

/// The register with the rounding mode, the exceptions that trap, and the treatment of subnormal numbers.
struct FloatControl {
#if defined(__x86_64__)
  using Word = unsigned;
  static constexpr Word defaults = 0x1f80, status_flags = 0x3f;
  static Word get() { return _mm_getcsr(); }
  static void set(Word word) { _mm_setcsr(word); }
#elif defined(__aarch64__)
  using Word = std::uint64_t;
  static constexpr Word defaults = 0, status_flags = 0; // status flags are in another register
  static Word get() {
    Word word;
    asm volatile("mrs %0, fpcr" : "=r"(word));
    return word;
  }
  static void set(Word word) { asm volatile("msr fpcr, %0" : : "r"(word)); }
#else
#error "how this CPU's floating-point environment is set"
#endif
};

/// While an object of this class exists, the thread has the default floating-point environment, which kernels and the
/// driver expect. On x86-64, only the SSE register is set, because all code of the driver computes with SSE.
class DefaultFloatEnvironment {
public:
  DefaultFloatEnvironment() : before_(FloatControl::get()) { change_to(FloatControl::defaults); }
  ~DefaultFloatEnvironment() { change_to(before_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  /// Sets the default environment again, after a jump out of code that may have changed it.
  static void set_again() { FloatControl::set(FloatControl::defaults); }

private:
  void change_to(FloatControl::Word word) const {
    if ((before_ & ~FloatControl::status_flags) != FloatControl::defaults) FloatControl::set(word);
  }

  FloatControl::Word before_;
};

/// DefaultFloatEnvironment for all registers, for calls of the C library: glibc's printf() rounds as the x87 control
/// word says. Takes a few hundred cycles.
class DefaultLibraryFloatEnvironment {
public:
  DefaultLibraryFloatEnvironment() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultLibraryFloatEnvironment() { std::fesetenv(&before_); }
  DefaultLibraryFloatEnvironment(const DefaultLibraryFloatEnvironment&) = delete;

private:
  std::fenv_t before_;
};

} // namespace hostcl::runtime

#pragma once

// The calling thread's floating-point environment while kernels run and while the driver computes with floating-point
// numbers: the application may round another way, trap exceptions or take subnormal numbers for zero. Estimates of
// time do without, for no result depends on them; the driver's own threads begin with the default environment
// (compiler/isolation/own_threads.hpp).
// Test: tests/process/rounding.cpp

#include <cfenv>
#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace hostcl::runtime {

/// The register with rounding mode, exceptions that trap, and whether subnormal numbers count as zero.
struct FloatControl {
#if defined(__x86_64__)
  using Word = unsigned;
  static constexpr Word defaults = 0x1f80, status_flags = 0x3f;
  static Word get() { return _mm_getcsr(); }
  static void set(Word word) { _mm_setcsr(word); }
#elif defined(__aarch64__)
  using Word = std::uint64_t;
  static constexpr Word defaults = 0, status_flags = 0; // flags are in another register
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

/// While it lives, the thread computes in the default floating-point environment, as kernels and the driver expect. On
/// x86-64 that is the register of SSE, which all of the driver's own code computes with.
class DefaultFloatEnvironment {
public:
  DefaultFloatEnvironment() : before_(FloatControl::get()) { change_to(FloatControl::defaults); }
  ~DefaultFloatEnvironment() { change_to(before_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  /// Sets it once more, after code that may have been left before it put back what it changed.
  static void set_again() { FloatControl::set(FloatControl::defaults); }

private:
  void change_to(FloatControl::Word word) const {
    if ((before_ & ~FloatControl::status_flags) != FloatControl::defaults) FloatControl::set(word);
  }

  FloatControl::Word before_;
};

/// The same for all registers: glibc's printf() rounds as the x87 control word says. Takes some hundred cycles.
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

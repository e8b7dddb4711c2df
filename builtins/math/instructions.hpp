#pragma once

// Steps of function bodies that some CPUs have as one instruction for a vector. Each is a function of
// docs/kernel-ir.md, which the pass maths-instructions replaces after vectorisation.
//
// A body may call these functions only if has_float_parts() is true ("with float parts" in comments), and computes the
// same in another way if it is false. entry() is available always. Without __SPIR__, bodies become machine code of the
// driver, where has_float_parts() is false and entry() reads the table.

#include "core.hpp"

#ifdef __SPIR__
#include "intrinsics.hpp"

HOSTCL_PURE bool __hostcl_maths_has_float_parts();
HOSTCL_PURE bool __hostcl_maths_flushes();

#define PURE __attribute__((const, nothrow))
#define DECLARE(T, suffix)                                                                                   \
  PURE T __hostcl_maths_exponent(T x) __asm("__hostcl_maths_exponent." suffix);                              \
  PURE T __hostcl_maths_significand(T x) __asm("__hostcl_maths_significand." suffix);                        \
  PURE T __hostcl_maths_scale(T x, T n) __asm("__hostcl_maths_scale." suffix);                               \
  PURE T __hostcl_maths_reciprocal(T x) __asm("__hostcl_maths_reciprocal." suffix);                          \
  PURE T __hostcl_maths_rsqrt(T x) __asm("__hostcl_maths_rsqrt." suffix);                                    \
  PURE __attribute__((nomerge)) T __hostcl_maths_entry(int_of<T> index,                                      \
                                                       const __constant element_of<T>* table,                \
                                                       uint entries) __asm("__hostcl_maths_entry." suffix)
// clang-format off
DECLARE(float, "f32"); DECLARE(float2, "v2f32"); DECLARE(float3, "v3f32"); DECLARE(float4, "v4f32");
DECLARE(float8, "v8f32"); DECLARE(float16, "v16f32");
DECLARE(double, "f64"); DECLARE(double2, "v2f64"); DECLARE(double3, "v3f64"); DECLARE(double4, "v4f64");
DECLARE(double8, "v8f64"); DECLARE(double16, "v16f64");
// clang-format on
#undef DECLARE
#undef PURE
#endif

namespace {

#ifdef __SPIR__
#define INSTRUCTION(name, parameters, arguments)                                                             \
  template <class V>                                                                                         \
  INLINE V name parameters {                                                                                 \
    return __hostcl_maths_##name arguments;                                                                  \
  }
#else
#define INSTRUCTION(name, parameters, arguments)                                                             \
  template <class V>                                                                                         \
  INLINE V name parameters {                                                                                 \
    return x;                                                                                                \
  }
#endif

/// The largest n with 2^n <= |x|, for subnormal x too; -infinity for 0, infinity for infinity, NaN for NaN.
INSTRUCTION(exponent, (V x), (x))
/// x / 2^n in [3/4, 3/2), for an integer n; 1 for 0, -0 and infinity, NaN for negative x and NaN.
INSTRUCTION(significand, (V x), (x))
/// x 2^n with n rounded down, rounded once. For an infinite n, 0 or infinity even if x is NaN.
INSTRUCTION(scale, (V x, [[maybe_unused]] V n), (x, n))
/// 1 / x with a relative error below 2^-14; infinity for 0 and results beyond the range, 0 for infinity, both with the
/// sign of x.
INSTRUCTION(reciprocal, (V x), (x))
/// 1 / sqrt(x) with a relative error below 2^-14; infinity for 0, 0 for infinity, NaN for negative x.
INSTRUCTION(rsqrt, (V x), (x))
#undef INSTRUCTION

/// Whether the kernel uses the instructions above: its CPU has AVX-512, and HOSTCL_BITS is not "same". A constant after
/// extract_kernel.
template <class V>
INLINE bool has_float_parts() {
#ifdef __SPIR__
  return __hostcl_maths_has_float_parts();
#else
  return false;
#endif
}

/// Whether subnormal floats and doubles count as zeros in the kernel (-cl-denorms-are-zero). A constant after
/// extract_kernel.
template <class V>
INLINE bool flushes() {
#ifdef __SPIR__
  return __hostcl_maths_flushes();
#else
  return false;
#endif
}

/// table[index modulo the number of entries], which is 8, 16 or 32.
template <class V, int entries>
INLINE V entry(int_of<V> index, const __constant element_of<V> (&table)[entries]) {
#ifdef __SPIR__
  return __hostcl_maths_entry(index, table, entries);
#else
  V result;
  if constexpr (is_vector<V>)
    for (int i = 0; i < width_of<V>; ++i)
      result[i] = table[index[i] & (entries - 1)];
  else
    result = table[index & (entries - 1)];
  return result;
#endif
}

} // namespace

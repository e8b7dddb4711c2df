#pragma once

// Functions with exactly specified results: rounding, parts of a number, neighbours, minimum and maximum.

#include "instructions.hpp"
#include "log.hpp"

namespace {

template <class V>
INLINE V fdim_of(V x, V y) {
  return x <= y ? V(0) : x - y;
}

/// The number of larger (smaller) magnitude; the result of fmax (fmin) where magnitudes are equal. If x < -y, the
/// negative one of two numbers with different signs has the larger magnitude.
template <class V>
INLINE V maxmag_of(V x, V y) {
  const V smaller = x < y ? x : y, larger = __builtin_elementwise_maxnum(x, y);
  return x < -y ? smaller : larger;
}
template <class V>
INLINE V minmag_of(V x, V y) {
  const V larger = x > y ? x : y, smaller = __builtin_elementwise_minnum(x, y);
  return x < -y ? larger : smaller;
}

/// Numbers of one sign are ordered as their bits are. A start of 0 gets the sign of y. Then the bits of x and y, both
/// with the sign of x changed to positive, tell whether y is further from 0 than x (or of the other sign). For NaN, the
/// result has all bits set, as the mask of the comparison on AVX2 has: so no constant is selected. If subnormal numbers
/// count as zeros, the number after zero is the smallest normal number.
template <class V>
INLINE V nextafter_of(V x, V y) {
  using I = int_of<V>;
  using E = element_of<I>;
  const V start = x == V(0) ? sign_bit_of(y) : x;
  const I target = bits(xor_sign(y, start)), size = bits(magnitude(start));
  const I next = bits(start) + (target > size ? I(E(1)) : I(E(0))) - (target < size ? I(E(1)) : I(E(0)));
  V after = bits_as<V>(next);
  if constexpr (!is_half<V>) {
    const V after_zero = y == V(0) ? start : with_sign(smallest_normal<V>(), y);
    if (flushes<V>()) after = x == V(0) ? after_zero : after;
  }
  return ((x != x) | (y != y)) ? bits_as<V>(I(E(-1))) : after;
}

/// x = significand 2^exponent with 1 <= |significand| < 2, for finite x other than 0.
template <class V>
struct Parts {
  V significand;
  int_of<V> exponent;
};
template <class V>
INLINE Parts<V> parts_of(V x) {
  using I = int_of<V>;
  using E = element_of<I>;
  const I to_exponent = I(E(significand_bits<V>));
  const auto tiny = magnitude(x) < smallest_normal<V>();
  const V normal = tiny ? x * power_of_two<V>(I(E(64))) : x;
  const I exponent = (bits(magnitude(normal)) >> to_exponent) - I(E(exponent_bias<V>));
  const V significand = bits_as<V>(bits(normal) - (exponent << to_exponent));
  return {significand, exponent - (tiny ? I(E(64)) : I(E(0)))};
}

template <class V>
INLINE V logb_of(V x) {
  const V a = magnitude(x);
  V y;
  if constexpr (!is_half<V>) {
    if (has_float_parts<V>()) return exponent(x);
    y = exponent_in<V>(bits(a));
    if (__builtin_expect(!any_of(!is_normal(a)), true)) return y;
  }
  y = a < infinity<V>() ? cast<V>(parts_of(x).exponent) : a;
  return x == V(0) ? -infinity<V>() : y;
}

template <class V>
INLINE int_like<V> ilogb_of(V x) {
  using I = int_of<V>;
  using E = element_of<I>;
  if constexpr (!is_half<V>) {
    if (has_float_parts<V>()) {
      // Infinities and NaN are not below 2^12; -infinity, for 0, becomes FP_ILOGB0.
      const V y = exponent(x);
      return cast<int_like<V>>(y < V(0x1p12f) ? cast<I>(at_least(y, V(-0x1p31f))) : I(FP_ILOGBNAN));
    }
    const V a = magnitude(x);
    if (__builtin_expect(!any_of(!is_normal(a)), true))
      return cast<int_like<V>>((bits(a) >> I(significand_bits<V>)) - I(exponent_bias<V>));
  }
  const I y = magnitude(x) < infinity<V>() ? parts_of(x).exponent : I(E(FP_ILOGBNAN));
  return cast<int_like<V>>(x == V(0) ? I(E(FP_ILOGB0)) : y);
}

/// x 2^n, rounded once. Without scale(), a product with 2^n for an n that has a power of two, else more products, of
/// which only the last can be inexact: if an earlier product is below the smallest normal number, the result is zero.
template <class V>
INLINE V ldexp_of(V x, int_like<V> n) {
  if (has_float_parts<V>()) return scale(x, cast<V>(n));
  using I = int_of<V>;
  using N = int_like<V>;
  constexpr int last = exponent_bias<V> - 1, limit = 3 * last;
  const N normal = n > N(last) ? N(last) : n < N(-last) ? N(-last) : n;
  if (__builtin_expect(any_of(n != normal), false)) {
    const N rest = (n > N(limit) ? N(limit) : n < N(-limit) ? N(-limit) : n) - normal;
    x = scaled(x, cast<I>(rest));
  }
  return x * power_of_two<V>(cast<I>(normal));
}

template <class V>
INLINE V frexp_of(V x, __private int_like<V>& exponent) {
  using I = int_of<V>;
  const Parts<V> a = parts_of(x);
  const V size = magnitude(x);
  auto valid = (x != V(0)) & (size < infinity<V>());
  if (flushes<V>()) valid = valid & (size >= smallest_normal<V>());
  exponent = cast<int_like<V>>(valid ? a.exponent + I(1) : I(0));
  return valid ? a.significand * V(0.5f) : x + x;
}

/// The largest number below 1.
template <class V>
INLINE V below_one() {
  const int_of<V> below = bits(V(element_of<V>(1))) - int_of<V>(element_of<int_of<V>>(1));
  return bits_as<V>(below);
}

template <class V>
INLINE V fract_of(V x, __private V& whole) {
  whole = to_floor(x);
  const V difference = x - whole;
  const V fraction = difference > below_one<V>() ? below_one<V>() : difference;
  // Whole numbers and infinities leave a zero of their sign.
  return x == whole ? with_sign(V(0), x) : fraction;
}

template <class V>
INLINE V modf_of(V x, __private V& whole) {
  whole = to_zero(x);
  return with_sign(is_infinite(x) ? V(0) : x - whole, x);
}

template <class V>
INLINE V nan_of(uint_of<V> payload) {
  const uint_of<V> y = payload | bits_as<uint_of<V>>(quiet_nan<V>());
  return bits_as<V>(y);
}

/// For halves, the product is exact in float. The sum is rounded to odd in float, so that rounding it again to half
/// gives the correctly rounded result.
template <class V>
INLINE V fma_of(V x, V y, V z) {
  if constexpr (is_half<V>) {
    using F = float_like<V>;
    using I = int_of<F>;
    const Pair<F> sum = exact_sum(cast<F>(x) * cast<F>(y), cast<F>(z));
    const auto up = sum.low > F(0), down = sum.low < F(0);
    const I outwards = (is_negative(sum.high) ? I(-1) : I(1));
    const I change = up ? outwards : down ? -outwards : I(0);
    const I even = (bits(sum.high) & I(1)) ^ I(1);
    return cast<V>(bits_as<F>(bits(sum.high) + change * even));
  } else {
    return muladd(x, y, z);
  }
}

} // namespace

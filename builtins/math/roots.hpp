#pragma once

// Roots and lengths.

#include "instructions.hpp"
#include "log.hpp"

namespace {

/// 1 / sqrt(x), within 1.5 ULP, from an estimate y and steps with e = 1 - x y². The CPU's estimate has an error of
/// 2^-14, and the results for 0, infinity, negative numbers and NaN, for which e is NaN. Then follows y (1 + e/2) for
/// float, or y (1 + e/2 + 3/8 e² + 5/16 e³ + 35/128 e⁴) for double.
///
/// Other CPUs begin with an integer estimate, which halves the exponent and has an error of at most 3.5%. Then follow
/// two steps: y (1 + e/2 + 3/8 e² + 5/16 e³), and the same again for double, or y (1 + e/2) for float. This is faster
/// than a square root and a division, which share one slow unit. They are used only if any lane has a number without
/// such an estimate: zero, subnormal or negative numbers, infinity, NaN.
template <class V>
INLINE V rsqrt_of(V x) {
  if (has_float_parts<V>()) {
    const V y = rsqrt(x), e = muladd(-(x * y), y, V(1));
    V half_e = e * V(0.5f);
    if constexpr (is_double<V>) half_e = e * polynomial(e, 0.5f, 0.375f, 0.3125f, 0.2734375f);
    const V better = muladd(y, half_e, y);
    return e == e ? better : y;
  }
  using I = int_of<V>;
  using U = uint_of<V>;
  const I guess = bits(number<V>(0x1.6eb3bep63f, 0x1.6eb50c7b537a9p511)) - (bits(x) >> I(1));
  V y = bits_as<V>(guess);
  V e = muladd(-(x * y), y, V(1));
  y = muladd(y * e, polynomial(e, 0.5f, 0.375f, 0.3125f), y);
  e = muladd(-(x * y), y, V(1));
  if constexpr (is_double<V>)
    y = muladd(y * e, polynomial(e, 0.5f, 0.375f, 0.3125f), y);
  else
    y = muladd(y * e, V(0.5f), y);
  const I least = bits(power_of_two<V>(I(1 - exponent_bias<V>))), end = bits(infinity<V>());
  const auto special = bits_as<U>(bits(x) - least) >= bits_as<U>(end - least);
  if (__builtin_expect(any_of(special), false)) y = special ? V(1) / square_root(x) : y;
  return y;
}

/// |x| = 8^k m with m in [0.7, 5.7): a polynomial for the root of m's significand, 2^-16.7
/// (fpminimax(x^(1/3), 4, ..., [sqrt(1/2);sqrt(2)], relative, floating)), then one step of Newton's method
/// (float), or of Halley's and one of Newton's with the exact residual (double).
template <class V>
INLINE V cbrt_of(V x) {
  const V size = magnitude(x);
  const Split<V> a = split_exponent(size);
  const V k = to_floor((a.k + V(0.5f)) * V(0x1.555556p-2f));
  const V rest = muladd(V(-3), k, a.k);
  const auto one = rest == V(1), two = rest == V(2);
  const V m = a.m * (one ? V(2) : two ? V(4) : V(1));
  V y = polynomial(a.m, 0x1.ce81d6p-2f, 0x1.cf443cp-1f, -0x1.123dfp-1f, 0x1.bc4916p-3f, -0x1.358eep-5f);
  y *= one ? V(0x1.428a3p0f) : two ? V(0x1.965feap0f) : V(1);
  if constexpr (is_double<V>) {
    const V cube = y * y * y;
    y = y * (cube + (m + m)) / (cube + cube + m);
  }
  const V square = y * y, square_low = muladd(y, y, -square);
  const V residual = muladd(square_low, y, muladd(square, y, -m));
  y -= residual / (V(3) * square);
  const V result = bits_as<V>(bits(y) + (bits(k + round_magic<V>()) << int_of<V>(significand_bits<V>)));
  return ((size > V(0)) & (size < infinity<V>())) ? with_sign(result, x) : x;
}

/// sqrt(x + low) for a normal x and a low of about its ulp. From the CPU's estimate y of 1 / sqrt(x) follow an estimate
/// g = x y, its exact residual r = x - g², and with e = 1 - g y the root g + r y (1/2 + 3/8 e + 5/16 e²), or g + r y / 2 for float.
/// The coefficient of e is changed by 35/128 3/4 2^-26, which replaces 35/128 e³. NaN for 0 and infinity.
template <class V>
INLINE V root_by_estimate(V x, V low) {
  const V y = rsqrt(x), g = x * y;
  const V z = (muladd(-g, g, x) + low) * y;
  if constexpr (is_double<V>)
    return muladd(z, polynomial(muladd(-g, y, V(1)), 0.5, 0x1.80000034p-2, 0.3125), g);
  return muladd(z, V(0.5f), g);
}

/// sqrt(x² + y²). If squares leave the range, or lose bits, in any lane, both are scaled by a power of two.
template <class V>
INLINE V hypot_of(V x, V y) {
  const V ax = magnitude(x), ay = magnitude(y);
  const V larger = ax > ay ? ax : ay, smaller = ax > ay ? ay : ax;
  const V least = number<V>(0x1p-40f, 0x1p-450), unbounded = infinity<V>();
  V length;
  auto usual = ax == ay;
  if (has_float_parts<V>()) {
    const V square = x * x;
    length = root_by_estimate(muladd(y, y, square), muladd(x, x, -square));
    usual = length > least;
  } else {
    length = square_root(muladd(larger, larger, smaller * smaller));
    usual = (length > least) & (length < unbounded);
  }
  if (__builtin_expect(any_of(!usual), false)) {
    V rest = usual ? V(0) : larger;
    if (any_of(rest != V(0))) {
      const auto big = larger > V(1);
      const V down = number<V>(0x1p-90f, 0x1p-600), up = number<V>(0x1p90f, 0x1p600);
      const V scale = big ? down : up;
      const V a = larger * scale, b = smaller * scale;
      rest = square_root(muladd(a, a, b * b)) * (big ? up : down);
      rest = ((ax == unbounded) | (ay == unbounded)) ? unbounded : rest;
    }
    length = usual ? length : rest;
  }
  return length;
}

} // namespace

#pragma once

// Roots and lengths.

#include "instructions.hpp"
#include "log.hpp"

namespace {

/// 1 / sqrt(1 - e) - 1 for the error e = 1 - x y² of AVX-512's estimate y of 1 / sqrt(x), |e| < 2^-13: e/2 for float,
/// e/2 + 3/8 e² + 5/16 e³ and more terms for double.
template <class V, class... C>
INLINE V root_correction(V e, C... more) {
  if constexpr (is_double<V>)
    return e * polynomial(e, 0.5f, 0.375f, 0.3125f, more...);
  else
    return e * V(0.5f);
}

/// sqrt(x) and its reciprocal, with errors of about an ulp, for x = 0 or x > 2^-120 (2^-1000). For x = 0, the
/// reciprocal has no meaning.
template <class V>
struct Roots {
  V root, inverse;
};
template <class V>
INLINE Roots<V> roots_of(V x) {
  if (has_float_parts<V>()) {
    const V y = at_most(rsqrt(x), number<V>(0x1p60f, 0x1p500)), root = x * y;
    const V p = root_correction(muladd(-root, y, V(1)));
    return {muladd(root, p, root), muladd(y, p, y)};
  }
  const V root = square_root(x);
  return {root, V(1) / root};
}

/// 1 / sqrt(x), within 1.5 ULP. With float parts, the CPU's estimate is the result for 0, infinity, negative numbers
/// and NaN, for which e is NaN.
///
/// CPUs without float parts begin with an integer estimate, which halves the exponent and has an error of at most 3.5%.
/// Then follow two steps: y (1 + e/2 + 3/8 e² + 5/16 e³), and the same again for double, or y (1 + e/2) for float. This
/// is faster than a square root and a division, which share one slow unit. The square root and the division are
/// computed only if any lane has a number without such an estimate: zero, subnormal or negative numbers, infinity, NaN.
template <class V>
INLINE V rsqrt_of(V x) {
  if (has_float_parts<V>()) {
    const V y = rsqrt(x), e = muladd(-(x * y), y, V(1));
    return e == e ? muladd(y, root_correction(e, 0.2734375f), y) : y;
  }
  using I = int_of<V>;
  const I guess = bits(number<V>(0x1.6eb3bep63f, 0x1.6eb50c7b537a9p511)) - (bits(x) >> I(1));
  V y = bits_as<V>(guess);
  V e = muladd(-(x * y), y, V(1));
  y = muladd(y * e, polynomial(e, 0.5f, 0.375f, 0.3125f), y);
  e = muladd(-(x * y), y, V(1));
  if constexpr (is_double<V>)
    y = muladd(y * e, polynomial(e, 0.5f, 0.375f, 0.3125f), y);
  else
    y = muladd(y * e, V(0.5f), y);
  const auto special = !is_normal(x);
  if (__builtin_expect(any_of(special), false)) y = special ? V(1) / square_root(x) : y;
  return y;
}

/// x = 8^k m and |m| = 2^rest significand with a rest of -1, 0 or 1; k is in the low bits of shifted_k. If the CPU has
/// float parts, rest is NaN for 0, infinity and NaN; else all three have no meaning for these.
template <class V>
struct CubicSplit {
  V m, rest, shifted_k;
};
template <class V>
INLINE CubicSplit<V> split_cubically(V x) {
  using I = int_of<V>;
  using E = element_of<I>;
  const V third = number<V>(0x1.555556p-2f, 0x1.5555555555555p-2), magic = round_magic<V>();
  if (has_float_parts<V>()) {
    const V n = exponent(x), shifted_k = muladd(n, third, magic);
    const V minus_3k = muladd(shifted_k, V(-3), magic * V(3));
    return {scale(x, minus_3k), n + minus_3k, shifted_k};
  }
  const auto tiny = magnitude(x) < smallest_normal<V>();
  x *= tiny ? power_of_two<V>(I(E(66))) : V(1);
  const V n = exponent_in<V>(bits(magnitude(x)));
  const V shifted_k = muladd(n, third, magic);
  const V rest = n + muladd(shifted_k, V(-3), magic * V(3));
  const I k = bits(shifted_k);
  const V m = bits_as<V>(bits(x) - ((k + k + k) << I(E(significand_bits<V>))));
  return {m, rest, shifted_k - (tiny ? V(22) : V(0))};
}

/// A polynomial for the inverse root w of m's significand, and v = w²:
///   float: 2^-17.4, fpminimax(x^(-1/3), 5, [|SG...|], [1;2], relative, floating)
///   double: 2^-11.9, degree 3, and the step v (1 + 2/3 e + 5/9 e²) with e = 1 - |m| w³
/// Then follows one step of Newton's method for the root y = m v, with the exact residual.
template <class V>
INLINE V cbrt_of(V x) {
  using I = int_of<V>;
  using E = element_of<I>;
  const CubicSplit<V> a = split_cubically(x);
  const I fraction = bits(a.m) & I((E(1) << significand_bits<V>)-E(1));
  const V significand = bits_as<V>(fraction | bits(V(1)));
  // 2^(-rest / 3)
  const V factor = polynomial(a.rest, 1.0, -0x1.dd68eap-3, 0x1.b74498p-6);
  V v;
  if constexpr (is_double<V>) {
    const V w = polynomial(significand, 0x1.8ab91cp0, -0x1.9eb322p-1, 0x1.456226p-2, -0x1.991554p-5) * factor;
    v = w * w;
    const V e = muladd(-magnitude(a.m * w), v, V(1));
    v = muladd(v * e, muladd(e, V(5.0 / 9), V(2.0 / 3)), v);
  } else {
    const V w = polynomial(significand, 0x1.c7f278p0f, -0x1.90e3ep0f, 0x1.3e63dep0f, -0x1.32157ep-1f,
                           0x1.3f98dp-3f, -0x1.16cc5ep-6f) *
                factor;
    v = w * w;
  }
  const V y = a.m * v;
  const V square = y * y, square_low = muladd(y, y, -square);
  const V residual = muladd(square_low, y, muladd(square, y, -a.m));
  const V root = muladd(residual, v * number<V>(-1.0f / 3, -1.0 / 3), y);
  const V result = add_to_exponent(root, bits(a.shifted_k));
  auto usual = root == root;
  if (!has_float_parts<V>()) usual = (x + x < x) | (x + x > x);
  return usual ? result : x + x;
}

/// sqrt(x + low) for a normal x and a low of about its ulp, from AVX-512's estimate y of 1 / sqrt(x): with g = x y, the
/// exact residual r = x - g², and e = 1 - g y, the root is g + r y / 2 for float, g + r y (1/2 + 3/8 e + 5/16 e²) for
/// double. The coefficient of e is larger by 3/4 2^-26 35/128, because the series' next term 35/128 e³ is that multiple
/// of e on average.
template <class V>
INLINE V root_by_estimate(V x, V y, V low) {
  const V g = x * y;
  const V z = (muladd(-g, g, x) + low) * y;
  if constexpr (is_double<V>)
    return muladd(z, polynomial(muladd(-g, y, V(1)), 0.5, 0x1.80000034p-2, 0.3125), g);
  return muladd(z, V(0.5f), g);
}

/// sqrt(x² + y²). If the sum leaves the range, or loses bits, in any lane, x and y are scaled by a power of two. With
/// float parts, the rounding error of x² corrects the root; without, fma adds the larger square, which is not rounded
/// then.
template <class V>
INLINE V hypot_of(V x, V y) {
  const V ax = magnitude(x), ay = magnitude(y);
  const V larger = ax > ay ? ax : ay, smaller = ax > ay ? ay : ax;
  const V least = number<V>(0x1p-40f, 0x1p-450), unbounded = infinity<V>();
  V length;
  if (has_float_parts<V>()) {
    const V square = x * x, sum = muladd(y, y, square);
    length = root_by_estimate(sum, rsqrt(sum), muladd(x, x, -square));
  } else {
    length = square_root(muladd(larger, larger, smaller * smaller));
  }
  auto usual = length > least;
  if (!has_float_parts<V>()) usual = usual & (length < unbounded);
  if (__builtin_expect(any_of(!usual), false)) {
    V rest = usual ? V(0) : ax + ay;
    if (any_of(rest != V(0))) { // not two zeros
      const auto big = larger > V(1);
      const V down = number<V>(0x1p-90f, 0x1p-600), up = number<V>(0x1p90f, 0x1p600);
      const V factor = big ? down : up;
      const V a = larger * factor, b = smaller * factor;
      rest = square_root(muladd(a, a, b * b)) * (big ? up : down);
      rest = ((ax == unbounded) | (ay == unbounded)) ? unbounded : rest;
    }
    length = usual ? length : rest;
  }
  return length;
}

} // namespace

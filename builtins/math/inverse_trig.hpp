#pragma once

// Inverse circular functions. The polynomials are from Sollya's fpminimax, relative error; the exponent at
// each is log2 of that error.

#include "roots.hpp"

namespace {

template <class V>
INLINE V pi_times(float factor) {
  return number<V>(0x1.921fb6p1f * factor, 0x1.921fb54442d18p1 * factor);
}
template <class V>
INLINE V one_over_pi() {
  return number<V>(0x1.45f306p-2f, 0x1.45f306dc9c883p-2);
}

/// (asin s - s) / s for z = s², 0 <= s <= 1/2. 2^-27.6, 2^-55.9:
/// fpminimax(asin(x), [|3,5,...,n|], ..., [2^-40;1/2], relative, floating, x).
template <class V>
INLINE V asin_rest(V z) {
  if constexpr (is_double<V>) {
    return z * muladd(z,
                      muladd(z,
                             polynomial_in_halves(z, z * z, 0x1.6db6db427a4f9p-5, 0x1.f1c72c38fb295p-6,
                                                  0x1.6e89f4401af12p-6, 0x1.1c6be1a66c286p-6,
                                                  0x1.c6fdc1ad0a76dp-7, 0x1.8ec2fc9502512p-7,
                                                  0x1.abcf5d71aea63p-8, 0x1.3ff4a924fe512p-6,
                                                  -0x1.09d327898dbebp-6, 0x1.056d6c4746a55p-5),
                             V(0x1.333333336e80fp-4)),
                      V(0x1.555555555539p-3));
  } else {
    return z * polynomial(z, 0x1.5555c8p-3f, 0x1.330206p-4f, 0x1.747b72p-5f, 0x1.8c415ap-6f, 0x1.5959aap-5f);
  }
}

/// A number whose arcsine gives the result for a = |x|: s = a for a <= 1/2, else s = sqrt((1 - a) / 2), for which
/// asin s = (pi/2 - asin a) / 2. NaN for a > 1.
template <class V>
struct Folded {
  V s, z; // z = s^2
};
template <class V>
INLINE Folded<V> fold(V a) {
  const V z = at_most(muladd(a, V(-0.5f), V(0.5f)), a * a);
  V root = square_root(z);
  if (is_double<V> && has_float_parts<V>()) // which is faster than the square root; z may be 0
    root = root_by_estimate(z, at_most(rsqrt(z), V(0x1p60f)), V(-0.0f));
  return {a > V(0.5f) ? root : a, z};
}

template <class V>
INLINE V asin_of(V x) {
  const V a = magnitude(x);
  const Folded<V> f = fold(a);
  const V p = muladd(f.s, asin_rest(f.z), f.s);
  const V big = muladd(V(-2), p, pi_times<V>(0.5f));
  return with_sign(a > V(0.5f) ? big : p, x);
}

template <class V>
INLINE V acos_of(V x) {
  const V a = magnitude(x);
  const Folded<V> f = fold(a);
  const V p = muladd(f.s, asin_rest(f.z), f.s);
  const V near_one = x < V(0) ? muladd(V(-2), p, pi_times<V>(1)) : p + p;
  return a > V(0.5f) ? near_one : pi_times<V>(0.5f) - with_sign(p, x);
}

template <class V>
INLINE V asinpi_of(V x) {
  return asin_of(x) * one_over_pi<V>();
}
template <class V>
INLINE V acospi_of(V x) {
  return acos_of(x) * one_over_pi<V>();
}

/// The rest of pi/2 beyond the precision of its type.
template <class V>
INLINE V half_pi_tail() {
  return number<V>(-0x1.777a5cp-25f, 0x1.1a62633145c07p-54);
}

/// atan q + tail for 0 <= q <= 1 and a tiny tail. 2^-25.8, 2^-55.0: fpminimax(atan(x), [|3,5,...,n|], ...,
/// [2^-40;1], relative, floating, x).
template <class V>
INLINE V atan_below_one(V q, V tail) {
  const V z = q * q;
  V p;
  if constexpr (is_double<V>) {
    const V rest = polynomial_in_halves(
        z, z * z, 0x1.c71c709e19f6ap-4, -0x1.745d02310537cp-4, 0x1.3b12b2e8e2d48p-4, -0x1.11089d02de0dfp-4,
        0x1.e1781735b887ep-5, -0x1.ad32ba4e0c7bbp-5, 0x1.7ee3f62d7830bp-5, -0x1.4f4521ca52068p-5,
        0x1.1715db019349p-5, -0x1.a726a91b49509p-6, 0x1.162c3d97e979ep-6, -0x1.2cf76bf20e848p-7,
        0x1.f96cc734222ebp-9, -0x1.312a3f0dfb77ep-10, 0x1.d3bb11406b765p-13, -0x1.53e5c94348b72p-16);
    p = muladd(z, muladd(z, muladd(z, rest, V(-0x1.2492491fa2135p-3)), V(0x1.999999998411p-3)),
               V(-0x1.555555555544cp-2));
  } else {
    p = polynomial(z, -0x1.5554dcp-2f, 0x1.9978eep-3f, -0x1.230abp-3f, 0x1.b4dfdcp-4f, -0x1.3553f4p-4f,
                   0x1.61f756p-5f, -0x1.0c23fep-6f, 0x1.7ec1c4p-9f);
  }
  return q + muladd(q, z * p, tail);
}

/// atan a for a >= 0.
template <class V>
INLINE V atan_of_size(V a) {
  const auto big = a > V(1);
  const V p = atan_below_one((big ? V(1) : a) / (big ? a : V(1)), big ? -half_pi_tail<V>() : V(0));
  return big ? pi_times<V>(0.5f) - p : p;
}
template <class V>
INLINE V atan_of(V x) {
  return with_sign(atan_of_size(magnitude(x)), x);
}

/// The angle of (|x|, |y|), before the signs of x and y are applied, or NaN.
template <class V>
INLINE V atan2_quadrant(V y, V x) {
  const V ay = magnitude(y), ax = magnitude(x);
  const auto steep = ay > ax;
  const V larger = steep ? ay : ax, smaller = steep ? ax : ay;
  const V quotient = smaller / larger;
  // 0 / 0 counts as 0, and infinity / infinity as 1.
  const auto undefined = (ay == ax) & (quotient != quotient);
  const V q = undefined ? at_most(smaller, V(1)) : quotient;
  const V p = atan_below_one(q, steep ? -half_pi_tail<V>() : V(0));
  return steep ? pi_times<V>(0.5f) - p : p;
}

template <class V>
INLINE V atan2_of(V y, V x) {
  const V p = atan2_quadrant(y, x);
  return with_sign(is_negative(x) ? pi_times<V>(1) - p : p, y);
}

/// x / pi for x >= 0; for double with a second part of 1 / pi.
template <class V>
INLINE V over_pi(V x) {
  if constexpr (is_double<V>)
    return muladd(x, one_over_pi<V>(), x * V(-0x1.6b01ec5417056p-56));
  else
    return x * one_over_pi<V>();
}
template <class V>
INLINE V atanpi_of(V x) {
  return with_sign(over_pi(atan_of_size(magnitude(x))), x);
}
template <class V>
INLINE V atan2pi_of(V y, V x) {
  const V p = over_pi(atan2_quadrant(y, x));
  return with_sign(is_negative(x) ? V(1) - p : p, y);
}

} // namespace

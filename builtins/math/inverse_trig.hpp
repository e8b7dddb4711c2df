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
  return xor_sign(a > V(0.5f) ? big : p, x);
}

template <class V>
INLINE V acos_of(V x) {
  const V a = magnitude(x);
  const Folded<V> f = fold(a);
  const V p = xor_sign(muladd(f.s, asin_rest(f.z), f.s), x);
  const V near_one = muladd(V(2), p, x < V(0) ? pi_times<V>(1) : V(0));
  return a > V(0.5f) ? near_one : pi_times<V>(0.5f) - p;
}

template <class V>
INLINE V asinpi_of(V x) {
  return asin_of(x) * one_over_pi<V>();
}
template <class V>
INLINE V acospi_of(V x) {
  return acos_of(x) * one_over_pi<V>();
}

// Tables for the arctangent of double. An entry is for the numbers 2^n 1.0... or 2^n 1.1..., in binary: a c near
// them, and atan c with an error below 0.002 ulp. c is 0 below 3/32, and in effect infinity from 12 on, with pi/2.
// clang-format off
__attribute__((aligned(64))) __constant double tangents[] = {
    0x1.2aa9f53849cffp1, 0x1.a5b15891849b2p1, 0x1.28797c1b0f417p2, 0x1.a4df7a70f2019p2, 0x1.28d2af222a44fp3, 0x1p60,
    0, 0x1.b9ece09fde374p-4, 0x1.3848970205254p-3, 0x1.b955015f318d5p-3, 0x1.37583f44728a1p-2, 0x1.b689f7f23e7bp-2,
    0x1.3482d5456296ap-1, 0x1.b0a87e0cbd688p-1, 0x1.2f1233ccc0ad9p0, 0x1.a8aec8914bb49p0};
__attribute__((aligned(64))) __constant double angles[] = {
    0x1.2a788p0, 0x1.46ae4p0, 0x1.5bb24p0, 0x1.6b7dcp0, 0x1.76a19p0, 0x1.921fb54442d18p0, 0, 0x1.b838fp-4,
    0x1.35e58p-3, 0x1.b2af5p-3, 0x1.2e4p-2, 0x1.9e572p-2, 0x1.15a86p-1, 0x1.6738cp-1, 0x1.bd216p-1, 0x1.073fep0};
// clang-format on

/// atan(y / x) for x, y >= 0, the larger at most 2^900, the smaller at least 2^-900 or 0, by the entry for y / x:
/// atan c + atan t with t = (y - c x) / (x + c y), |t| < 0.1143. With float parts, Newton's method is faster than a
/// division. 2^-60.6: fpminimax(atan(x), [|3,5,...,13|], ..., [2^-40;0.1145], relative, floating, x).
template <class V>
INLINE V atan_by_table(V y, V x, int_of<V> index) {
  const V c = entry<V>(index, tangents), n = muladd(-c, x, y), d = muladd(c, y, x);
  V t;
  if (has_float_parts<V>()) {
    const V estimate = reciprocal(d), r = muladd(estimate, muladd(-d, estimate, V(1)), estimate), q = n * r;
    t = muladd(muladd(-q, d, n), r, q);
  } else {
    t = n / d;
  }
  const V z = t * t;
  const V p = polynomial(z, -0x1.5555555555525p-2, 0x1.9999999976876p-3, -0x1.249248e0c7d0dp-3,
                         0x1.c71bf936f36b9p-4, -0x1.7426ce9fb917ep-4, 0x1.2f016cfadbe47p-4);
  return entry<V>(index, angles) + muladd(t * z, p, t);
}

/// atan q for float, 0 <= q <= 1; pi/2 - atan q where `steep` holds. 2^-25.8: fpminimax(atan(x), [|3,5,...,n|], ...,
/// [2^-40;1], relative, floating, x).
template <class V, class M>
INLINE V atan_below_one(V q, M steep) {
  const V z = q * q;
  const V p = polynomial(z, -0x1.5554dcp-2f, 0x1.9978eep-3f, -0x1.230abp-3f, 0x1.b4dfdcp-4f, -0x1.3553f4p-4f,
                         0x1.61f756p-5f, -0x1.0c23fep-6f, 0x1.7ec1c4p-9f);
  // The rest of pi/2 beyond the precision of float.
  const V angle = q + muladd(q, z * p, steep ? V(0x1.777a5cp-25f) : V(0));
  return steep ? pi_times<V>(0.5f) - angle : angle;
}

/// atan a for a >= 0.
template <class V>
INLINE V atan_of_size(V a) {
  if constexpr (is_double<V>) {
    const V limited = at_least(at_most(a, V(12)), V(0x1p-4f));
    return atan_by_table(at_most(a, V(0x1p60f)), V(1), bits(limited) >> int_of<V>(51));
  } else {
    const auto big = a > V(1);
    return atan_below_one((big ? V(1) : a) / (big ? a : V(1)), big);
  }
}
template <class V>
INLINE V atan_of(V x) {
  return xor_sign(atan_of_size(magnitude(x)), x);
}

/// The angle of (|x|, |y|), before the signs of x and y are applied, or NaN.
template <class V>
INLINE V atan2_quadrant(V y, V x) {
  V ay = magnitude(y), ax = magnitude(x);
  const auto steep = ay > ax;
  const V larger = steep ? ay : ax, smaller = steep ? ax : ay;
  if constexpr (is_double<V>) {
    if (__builtin_expect(any_of((larger > V(0x1p900)) | (smaller < V(0x1p-900))), false)) {
      // 0 / 0 counts as 0 / 1, and infinity / infinity as 1 / 1.
      const V factor = is_infinite(larger) ? V(0) : larger > V(0x1p400) ? V(0x1p-200) : V(0x1p200);
      ay = is_infinite(ay) ? V(1) : ay * factor;
      ax = (is_infinite(ax) | (larger == V(0))) ? V(1) : ax * factor;
    }
    // The difference of the bits of two numbers is about the logarithm of their quotient. Half of it, with an offset,
    // is taken as the bits of a double, which is limited to the table's range.
    using U = uint_of<V>;
    const U ratio = (bits_as<U>(ay) - bits_as<U>(ax) + bits_as<U>(infinity<V>())) >> U(1);
    const V limited = at_least(at_most(bits_as<V>(ratio), V(5)), V(0.375f));
    return atan_by_table(ay, ax, bits(limited) >> int_of<V>(50));
  } else {
    V quotient = smaller / larger;
    // 0 / 0 counts as 0, and infinity / infinity as 1.
    const auto undefined = quotient != quotient;
    if (__builtin_expect(any_of(undefined), false))
      quotient = (undefined & (ay == ax)) ? at_most(smaller, V(1)) : quotient;
    return atan_below_one(quotient, steep);
  }
}

template <class V>
INLINE V atan2_of(V y, V x) {
  const V p = atan2_quadrant(y, x);
  return xor_sign(is_negative(x) ? pi_times<V>(1) - p : p, y);
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
  return xor_sign(over_pi(atan_of_size(magnitude(x))), x);
}
template <class V>
INLINE V atan2pi_of(V y, V x) {
  const V p = over_pi(atan2_quadrant(y, x));
  return xor_sign(is_negative(x) ? V(1) - p : p, y);
}

} // namespace

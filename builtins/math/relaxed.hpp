#pragma once

// Variants for -cl-fast-relaxed-math, -cl-unsafe-math-optimizations and native_ functions, for float, and bodies of
// half functions at the end. The variants' bounds are those of OpenCL C 3.0, 7.4 for unsafe optimisations. Subnormal
// numbers may count as zeros; infinities and NaN are handled only where that costs nothing. The polynomials are from
// Sollya's fpminimax, relative error; the exponent at each is log2 of that error.

#include "exp.hpp"
#include "log.hpp"
#include "pow.hpp"
#include "roots.hpp"
#include "trig.hpp"

namespace {

/// 3 + |2x| ULP. 2^-23.3: fpminimax(2^x, [|1,...,5|], ..., 1).
template <class V>
INLINE V relaxed_exp2_reduced(V r) {
  return polynomial(r, 1.0f, 0x1.62e42ap-1f, 0x1.ebf9b6p-3f, 0x1.c6b69ap-5f, 0x1.3ceca6p-7f, 0x1.5bffbap-10f);
}
template <class V>
INLINE V relaxed_exp2(V x) {
  if (has_float_parts<V>()) {
    const V n = to_even(x);
    return scale(relaxed_exp2_reduced(x - n), n);
  }
  // From 128 on, the exponent is that of infinity. A NaN's exponent has no meaning: 0 p is NaN then.
  const Reduced<V> a = reduce_one(at_most(x, V(128)));
  const V p = relaxed_exp2_reduced(a.r);
  const V y = muladd(V(0), p, add_to_exponent(p, a.shifted));
  return x < V(-126) ? V(0) : y;
}

/// 3 + |2x| ULP: the rounding of the product.
template <class V>
INLINE V relaxed_exp(V x) {
  return relaxed_exp2(x * log2e<V>());
}

/// About 75 ULP: the rounding of the factor and of the product.
template <class V>
INLINE V relaxed_exp10(V x) {
  return relaxed_exp2(x * V(0x1.a934fp1f));
}

// As for float in log.hpp, but c is 1 for only one interval at either side of 1. The second table has -log2 c, and
// 1 - log2 c from i = 16 on, where the exponent of x is one less than that of x / m.
// clang-format off
TABLE float relaxed_inverses[] = {
    0x1p0f, 0x1.e9234ap-1f, 0x1.db5b6ep-1f, 0x1.cd9e3p-1f, 0x1.c13ad4p-1f, 0x1.b55acp-1f, 0x1.a9c9e2p-1f,
    0x1.9eb558p-1f, 0x1.94c47cp-1f, 0x1.8a615ap-1f, 0x1.819744p-1f, 0x1.789b58p-1f, 0x1.6fe4f2p-1f,
    0x1.67dbdcp-1f, 0x1.608076p-1f, 0x1.58a282p-1f, 0x1.51a73ep0f, 0x1.4b0176p0f, 0x1.446c7ep0f,
    0x1.3e06cep0f, 0x1.383b0ep0f, 0x1.3266aap0f, 0x1.2ca7ap0f, 0x1.274a8p0f, 0x1.21e354p0f, 0x1.1cd638p0f,
    0x1.181028p0f, 0x1.132d62p0f, 0x1.0ec932p0f, 0x1.0a763ap0f, 0x1.061eeep0f, 0x1p0f};
TABLE float relaxed_minus_log2s[] = {
    0, 0x1.0dfp-4f, 0x1.b6dp-4f, 0x1.321p-3f, 0x1.827p-3f, 0x1.d198p-3f, 0x1.1064p-2f, 0x1.3758p-2f,
    0x1.5b3p-2f, 0x1.8198p-2f, 0x1.a2e4p-2f, 0x1.c5b8p-2f, 0x1.e84cp-2f, 0x1.0476p-1f, 0x1.13b8p-1f,
    0x1.2464p-1f, 0x1.3382p-1f, 0x1.4232p-1f, 0x1.5108p-1f, 0x1.5fbep-1f, 0x1.6d54p-1f, 0x1.7b4p-1f,
    0x1.893cp-1f, 0x1.9688p-1f, 0x1.a42cp-1f, 0x1.b128p-1f, 0x1.bda4p-1f, 0x1.caa4p-1f, 0x1.d686p-1f,
    0x1.e26ap-1f, 0x1.ee8cp-1f, 0x1p0f};
// clang-format on

/// log2 x by the table, with float parts only. For x next below a power of two, the exponent and the table's 1
/// cancel exactly. 2^-25.9: fpminimax(log2(1+x), [|1,...,4|], ..., [-1/60;1/32]).
template <class V>
INLINE V relaxed_log2_by_table(V x) {
  const V m = significand(x);
  const int_of<V> index = bits(m) >> int_of<V>(18);
  const V r = muladd(m, entry<V>(index, relaxed_inverses), V(-1));
  const V high = exponent(x) + entry<V>(index, relaxed_minus_log2s);
  return muladd(r, polynomial(r, 0x1.715476p0f, -0x1.7154aep-1f, 0x1.ec94c6p-2f, -0x1.6ae39p-2f), high);
}

/// k and log m for x = 2^k m. 2^-22.4: fpminimax(log(1+x)/x, [|1,...,7|], ..., 1).
template <class V>
INLINE Split<V> relaxed_log_parts(V x) {
  const Split<V> a = log_parts(x);
  const V f = a.m - V(1);
  const V q = polynomial(f, 1.0f, -0x1.00006cp-1f, 0x1.5558f4p-2f, -0x1.ff6974p-3f, 0x1.97b1ap-3f,
                         -0x1.612166p-3f, 0x1.4b5ep-3f, -0x1.9d02acp-4f);
  return {a.k, f * q};
}

/// 2^-21 in [1/2, 2], else 3 ULP; the other logarithms have the same bounds.
template <class V>
INLINE V relaxed_log(V x) {
  if (has_float_parts<V>()) return relaxed_log2_by_table(x) * ln2<V>();
  const Split<V> a = relaxed_log_parts(x);
  return muladd(a.k, ln2<V>(), a.m);
}
template <class V>
INLINE V relaxed_log2(V x) {
  if (has_float_parts<V>()) return relaxed_log2_by_table(x);
  const Split<V> a = relaxed_log_parts(x);
  return muladd(a.m, log2e<V>(), a.k);
}
template <class V>
INLINE V relaxed_log10(V x) {
  if (has_float_parts<V>()) return relaxed_log2_by_table(x) * V(0x1.344136p-2f);
  const Split<V> a = relaxed_log_parts(x);
  return muladd(a.k, V(0x1.344136p-2f), a.m * V(0x1.bcb7b2p-2f));
}

// Sine, cosine and tangent have the polynomials of the accurate functions: Fourier transforms compute their factors by
// native_sin and native_cos, and would lose a digit with shorter polynomials. They do not support huge arguments, and
// do not use the last part of pi in the reduction. The parts are positive, so that the reduction of -0 is -0.
template <class V>
INLINE V relaxed_minus_pi_times(V x, V n) {
  return muladd(n, V(-0x1.4442d2p-23f), muladd(n, V(-0x1.921fb4p1f), x));
}

/// Sine and cosine of x by a function for the sine of an angle in [-pi/2, pi/2].
template <class V, class F>
INLINE V sin_by(F sine, V x) {
  const V t = muladd(x, V(0x1.45f306p-2f), round_magic<V>());
  return xor_sign(sine(relaxed_minus_pi_times(x, t - round_magic<V>())), odd_sign<V>(bits(t)));
}
template <class V, class F>
INLINE V cos_by(F sine, V x) {
  const V t = muladd(magnitude(x), V(0x1.45f306p-2f), V(0.5f)) + round_magic<V>();
  return xor_sign(sine(relaxed_minus_pi_times(magnitude(x), t - round_magic<V>() - V(0.5f))),
                  odd_sign<V>(bits(t)));
}

/// The error is about 2 ULP in [-pi, pi], and about 2^-23 for moderate arguments beyond, up to about 2^20.
template <class V>
INLINE V relaxed_sin(V x) {
  return sin_by(AS_FUNCTION(sine_wide), x);
}
template <class V>
INLINE V relaxed_cos(V x) {
  return cos_by(AS_FUNCTION(sine_wide), x);
}

/// x = r + n pi/2 with r in [-pi/4, pi/4].
template <class V>
INLINE Angle<V> relaxed_angle(V x) {
  const V t = muladd(x, V(0x1.45f306p-1f), round_magic<V>()), n = t - round_magic<V>();
  return {muladd(n, V(-0x1.4442d2p-24f), muladd(n, V(-0x1.921fb4p0f), x)), bits(t)};
}

template <class V>
INLINE V relaxed_sincos(V x, __private V& cosine) {
  using I = int_of<V>;
  const Quadrant<V> q = in_quadrant(relaxed_angle(x));
  const auto odd = (q.n & I(1)) != I(0);
  cosine = xor_sign(odd ? q.sine : q.cosine, bits_as<V>((q.n + I(1)) << I(30)));
  return xor_sign(odd ? q.cosine : q.sine, bits_as<V>(q.n << I(30)));
}

// Division and roots use the CPU's estimate and one step of Newton's method. With float parts, the estimate itself is
// the result for 0 and infinity, for which the step gives NaN. Without, the pragmas let the compiler choose an estimate
// and steps for quotients.
template <class V>
INLINE V relaxed_recip(V x) {
#pragma clang fp reassociate(on) reciprocal(on) contract(fast)
  if (has_float_parts<V>()) {
    const V y = reciprocal(x), e = muladd(-x, y, V(1)), better = muladd(y, e, y);
    return e > V(-1) ? better : y;
  }
  return V(1) / x;
}
template <class V>
INLINE V relaxed_quotient(V x, V y) {
#pragma clang fp reassociate(on) reciprocal(on) contract(fast)
  if (has_float_parts<V>()) return x * relaxed_recip(y);
  return x / y;
}
template <class V>
INLINE V relaxed_rsqrt(V x) {
#pragma clang fp reassociate(on) reciprocal(on) contract(fast)
  if (has_float_parts<V>()) return rsqrt_of(x);
  return V(1) / __builtin_elementwise_sqrt(x);
}
template <class V>
INLINE V relaxed_sqrt(V x) {
  if (has_float_parts<V>()) {
    // The limits are for 0 and infinity.
    const V y = at_least(at_most(rsqrt(x), V(0x1p100f)), V(0x1p-64f));
    const V g = x * y, better = muladd(muladd(-g, y, V(1)), g * V(0.5f), g);
    return g < infinity<V>() ? better : g;
  }
  return square_root(x);
}

/// tan x by a function for the tangent of an angle in [-pi/4, pi/4].
template <class V, class F>
INLINE V tan_by(F tangent, V x) {
  using I = int_of<V>;
  const Angle<V> a = relaxed_angle(x);
  const Tangent<V> t = tangent(a.r);
  const auto odd = (a.n & I(1)) != I(0);
  return relaxed_quotient(odd ? -t.d : t.n, odd ? t.n : t.d);
}
/// 8192 ULP; in fact below 4 in [-pi, pi].
template <class V>
INLINE V relaxed_tan(V x) {
  return tan_by(AS_FUNCTION(tangent), x);
}

/// exp2(y log2 x): 8192 ULP; in fact about 330.
template <class V>
INLINE V relaxed_powr(V x, V y) {
  return relaxed_exp2(y * relaxed_log2(x));
}
template <class V>
INLINE V relaxed_pow(V x, V y) {
  return pow_of_size(relaxed_powr(magnitude(x), y), x, y);
}

/// (e^2a - 1) / (e^2a + 1), or x where the subtraction would lose too many bits. 8192 ULP.
template <class V>
INLINE V relaxed_tanh(V x) {
  const V a = magnitude(x);
  const Reduced<V> b = reduce_one(at_most(a * V(0x1.715476p1f), V(30)));
  const V e = add_to_exponent(relaxed_exp2_reduced(b.r), b.shifted);
  return a < V(0x1p-10f) ? x : with_sign(relaxed_quotient(e - V(1), e + V(1)), x);
}

// Bodies of half functions, which use the relaxed logarithms and powers too. After rounding to half, results are within
// 0.505 ULP.

/// sin r, |r| <= pi/2. 2^-19.8: fpminimax(sin(x), [|3,5,7|], ..., [2^-40;pi/2], relative, floating, x).
template <class V>
INLINE V sine_for_half(V r) {
  return r * polynomial(r * r, 1.0f, -0x1.555112p-3f, 0x1.107138p-7f, -0x1.84dc3ep-13f);
}
template <class V>
INLINE V sin_for_half(V x) {
  return sin_by(AS_FUNCTION(sine_for_half), x);
}
template <class V>
INLINE V cos_for_half(V x) {
  return cos_by(AS_FUNCTION(sine_for_half), x);
}
/// tan r = r / d, |r| <= pi/4. 2^-21.4: fpminimax(x/tan(x), [|2,4,6|], ..., [2^-40;pi/4], relative, floating, 1).
template <class V>
INLINE Tangent<V> tangent_for_half(V r) {
  return {r, polynomial(r * r, 1.0f, -0x1.555844p-2f, -0x1.6a5eb6p-6f, -0x1.39ed68p-9f)};
}
template <class V>
INLINE V tan_for_half(V x) {
  return tan_by(AS_FUNCTION(tangent_for_half), x);
}
/// relaxed_sincos() gives 0 for -0.
template <class V>
INLINE V sincos_for_half(V x, __private V& cosine) {
  const V sine = relaxed_sincos(x, cosine);
  return x == V(0) ? x : sine;
}

/// 2^(factor x). 2^-21.2: fpminimax(2^x, [|1,2|], ..., [-1/32;1/32], relative, floating, 1).
template <class V>
INLINE V exp_for_half(V x, float factor) {
  if (!has_float_parts<V>()) return relaxed_exp2(x * V(factor));
  const Reduced<V> a = reduce_sixteenth(x, V(factor));
  const V root = entry<V>(a.shifted, roots_of_two<float>);
  return scale(muladd(root, a.r * polynomial(a.r, 0x1.62e98p-1f, 0x1.ebfbd4p-3f), root), a.n);
}
template <class V>
INLINE V exp_for_half(V x) {
  return exp_for_half(x, 0x1.715476p0f);
}
template <class V>
INLINE V exp2_for_half(V x) {
  return exp_for_half(x, 1);
}
template <class V>
INLINE V exp10_for_half(V x) {
  return exp_for_half(x, 0x1.a934fp1f);
}

} // namespace

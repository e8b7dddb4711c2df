#pragma once

// Variants for -cl-fast-relaxed-math, -cl-unsafe-math-optimizations and native_ functions, for float: the
// bounds are those of OpenCL C 3.0, 7.4 for unsafe optimisations. Subnormal numbers may count as zeros;
// infinities and NaN are handled only where that costs nothing. The polynomials are from Sollya's fpminimax,
// relative error; the exponent at each is log2 of that error.

#include "exp.hpp"
#include "log.hpp"
#include "trig.hpp"

namespace {

/// p 2^n for a normal result; 0 for x below `low`, infinity above `high`.
template <class V>
INLINE V normal_result(V p, int_of<V> shifted, V x, float low, float high) {
  const V y = bits_as<V>(bits(p) + (shifted << int_of<V>(23)));
  return or_overflow(x < V(low) ? V(0) : y, x, V(high));
}

/// 3 + |2x| ULP. 2^-23.1: fpminimax(exp(x), [|2,...,5|], ..., 1+x).
template <class V>
INLINE V relaxed_exp(V x) {
  const V t = muladd(x, V(0x1.715476p0f), round_magic<V>());
  const V r = muladd(t - round_magic<V>(), V(-0x1.62e43p-1f), x);
  const V p = polynomial(r, 1.0f, 1.0f, 0x1.fffde8p-2f, 0x1.5557c6p-3f, 0x1.57333ap-5f, 0x1.105f6ep-7f);
  return normal_result(p, bits(t), x, -0x1.5d589ep6f, 0x1.62e42ep6f);
}

/// 3 + |2x| ULP. 2^-23.3: fpminimax(2^x, [|1,...,5|], ..., 1).
template <class V>
INLINE V relaxed_exp2(V x) {
  const V t = x + round_magic<V>();
  const V r = x - (t - round_magic<V>());
  const V p =
      polynomial(r, 1.0f, 0x1.62e42ap-1f, 0x1.ebf9b6p-3f, 0x1.c6b69ap-5f, 0x1.3ceca6p-7f, 0x1.5bffbap-10f);
  return normal_result(p, bits(t), x, -126, 0x1.fffffep6f);
}

/// At most 64 ULP: the rounding of the product.
template <class V>
INLINE V relaxed_exp10(V x) {
  return relaxed_exp2(x * V(0x1.a934fp1f));
}

/// log m and k for a normal x = 2^k m. 2^-22.4: fpminimax(log(1+x)/x, [|1,...,7|], ..., 1).
template <class V>
INLINE Split<V> relaxed_log_parts(V x) {
  using I = int_of<V>;
  const I above = bits(x) - I(0x3f3504f3);
  const V f = bits_as<V>((above & I(0x7fffff)) + I(0x3f3504f3)) - V(1);
  const V q = polynomial(f, 1.0f, -0x1.00006cp-1f, 0x1.5558f4p-2f, -0x1.ff6974p-3f, 0x1.97b1ap-3f,
                         -0x1.612166p-3f, 0x1.4b5ep-3f, -0x1.9d02acp-4f);
  return {cast<V>(above >> I(23)), f * q};
}
template <class V>
INLINE V relaxed_log_specials(V x, V y) {
  y = x < V(0x1p-126f) ? (x < V(0) ? quiet_nan<V>() : -infinity<V>()) : y;
  return x < infinity<V>() ? y : x;
}

/// 2^-21 in [1/2, 2], else 3 ULP; the other logarithms have the same bounds.
template <class V>
INLINE V relaxed_log(V x) {
  const Split<V> a = relaxed_log_parts(x);
  return relaxed_log_specials(x, muladd(a.k, V(0x1.62e43p-1f), a.m));
}
template <class V>
INLINE V relaxed_log2(V x) {
  const Split<V> a = relaxed_log_parts(x);
  return relaxed_log_specials(x, muladd(a.m, V(0x1.715476p0f), a.k));
}
template <class V>
INLINE V relaxed_log10(V x) {
  const Split<V> a = relaxed_log_parts(x);
  return relaxed_log_specials(x, muladd(a.k, V(0x1.344136p-2f), a.m * V(0x1.bcb7b2p-2f)));
}

// Sine, cosine and tangent have the polynomials of the accurate functions: Fourier transforms compute their factors by
// native_sin and native_cos, and would lose a digit with shorter polynomials. They do not support huge arguments, and
// do not use the last part of pi in the reduction.
template <class V>
INLINE V relaxed_minus_pi_times(V x, V n) {
  return muladd(n, V(0x1.777a5cp-24f), muladd(n, V(-0x1.921fb6p1f), x));
}

/// About 2 ULP in [-pi, pi]; absolutely so for moderate arguments, up to about 2^20.
template <class V>
INLINE V relaxed_sin(V x) {
  const V t = muladd(x, V(0x1.45f306p-2f), round_magic<V>());
  const V y = sine_wide(relaxed_minus_pi_times(x, t - round_magic<V>()));
  return xor_sign(y, bits_as<V>(bits(t) << int_of<V>(31)));
}
template <class V>
INLINE V relaxed_cos(V x) {
  const V t = muladd(magnitude(x), V(0x1.45f306p-2f), V(0.5f)) + round_magic<V>();
  const V y = sine_wide(relaxed_minus_pi_times(magnitude(x), t - round_magic<V>() - V(0.5f)));
  return xor_sign(y, bits_as<V>(bits(t) << int_of<V>(31)));
}

/// x = r + n pi/2 with r in [-pi/4, pi/4].
template <class V>
INLINE Angle<V> relaxed_angle(V x) {
  const V t = muladd(x, V(0x1.45f306p-1f), round_magic<V>()), n = t - round_magic<V>();
  return {muladd(n, V(0x1.777a5cp-25f), muladd(n, V(-0x1.921fb6p0f), x)), bits(t)};
}

template <class V>
INLINE V relaxed_sincos(V x, __private V& cosine) {
  using I = int_of<V>;
  const Quadrant<V> q = in_quadrant(relaxed_angle(x));
  const auto odd = (q.n & I(1)) != I(0);
  cosine = xor_sign(odd ? q.sine : q.cosine, bits_as<V>((q.n + I(1)) << I(30)));
  return xor_sign(odd ? q.cosine : q.sine, bits_as<V>(q.n << I(30)));
}

// Division and rsqrt may use the hardware's estimate with a step of Newton's method.
template <class V>
INLINE V relaxed_quotient(V x, V y) {
#pragma clang fp reassociate(on) reciprocal(on) contract(fast)
  return x / y;
}
template <class V>
INLINE V relaxed_recip(V x) {
  return relaxed_quotient(V(1), x);
}
template <class V>
INLINE V relaxed_rsqrt(V x) {
#pragma clang fp reassociate(on) reciprocal(on) contract(fast)
  return V(1) / __builtin_elementwise_sqrt(x);
}
template <class V>
INLINE V relaxed_sqrt(V x) {
#pragma clang fp reassociate(on) reciprocal(on) contract(fast)
  return __builtin_elementwise_sqrt(x);
}

/// 8192 ULP; 4 in [-pi, pi] in fact.
template <class V>
INLINE V relaxed_tan(V x) {
  using I = int_of<V>;
  const Angle<V> a = relaxed_angle(x);
  const Tangent<V> t = tangent(a.r);
  const auto odd = (a.n & I(1)) != I(0);
  return relaxed_quotient(odd ? -t.d : t.n, odd ? t.n : t.d);
}

/// exp2(y log2 x): 8192 ULP; about 100 in fact.
template <class V>
INLINE V relaxed_powr(V x, V y) {
  return relaxed_exp2(y * relaxed_log2(x));
}
template <class V>
INLINE V relaxed_pow(V x, V y) {
  const V size = relaxed_powr(magnitude(x), y);
  const V half_y = y * V(0.5f);
  const auto whole = to_zero(y) == y;
  const auto odd = whole & (to_zero(half_y) != half_y);
  const V with_parity = odd ? xor_sign(size, x) : size;
  const V result = ((x < V(0)) & !whole) ? quiet_nan<V>() : with_parity;
  return y == V(0) ? V(1) : result;
}

/// (e^2a - 1) / (e^2a + 1); x where the subtraction would cost too many bits: 8192 ULP.
template <class V>
INLINE V relaxed_tanh(V x) {
  const V a = at_most(magnitude(x), V(10));
  const V t = muladd(a, V(0x1.715476p1f), round_magic<V>());
  const V r = muladd(t - round_magic<V>(), V(-0x1.62e43p-1f), a + a);
  const V p = polynomial(r, 1.0f, 1.0f, 0x1.fffde8p-2f, 0x1.5557c6p-3f, 0x1.57333ap-5f, 0x1.105f6ep-7f);
  const V e = bits_as<V>(bits(p) + (bits(t) << int_of<V>(23)));
  return a < V(0x1p-10f) ? x : with_sign(relaxed_quotient(e - V(1), e + V(1)), x);
}

} // namespace

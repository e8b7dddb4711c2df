#pragma once

// Logarithms. x = 2^k m with m in [sqrt(1/2), sqrt(2)), log x = k log 2 + log m.

#include "core.hpp"

namespace {

template <class V>
struct Split {
  V k, m;
};

/// The k and m of x = 2^k m with m in [sqrt(1/2), sqrt(2)), for a positive finite x, subnormal or not. For
/// other x the result has no meaning; see log_specials().
template <class V>
INLINE Split<V> split_exponent(V x) {
  using I = int_of<V>;
  using U = uint_of<V>;
  const auto tiny = x < power_of_two<V>(I(1 - exponent_bias<V>));
  x = x * (tiny ? power_of_two<V>(I(64)) : V(1));
  const I root_half = bits(number<V>(0x1.6a09e6p-1f, 0x1.6a09e667f3bcdp-1));
  if constexpr (is_double<V>) {
    // x86 has no vector instruction before AVX-512 that converts 64-bit integers to double. So the biased
    // exponent is put into the significand of 0x1p52, which gives the double 2^52 + exponent, and 2^52 + 1023
    // is subtracted.
    const I above = bits(x) - root_half + bits(V(1));
    const I m = (above & I(0xfffffffffffff)) + root_half;
    const V k = bits_as<V>(bits_as<I>(bits_as<U>(above) >> U(52ul)) | bits(V(0x1p52)));
    return {k - (tiny ? V(0x1p52 + 1023 + 64) : V(0x1p52 + 1023)), bits_as<V>(m)};
  } else {
    const I above = bits(x) - root_half;
    const I m = (above & I(0x7fffff)) + root_half;
    const V k = cast<V>(above >> I(23));
    return {tiny ? k - V(64) : k, bits_as<V>(m)};
  }
}

/// log(1 + f) for sqrt(1/2) - 1 <= f <= sqrt(2) - 1.
/// The polynomials are from Sollya.
/// float: f + f² q(f), where q begins with -1/2; relative error 2^-26.9:
///   fpminimax(log(1+x)/x, [|2,...,9|], [|SG...|], ..., relative, floating, 1-x/2)
/// double: 2 atanh(s) for s = f / (2 + f); relative error 2^-59.5:
///   fpminimax(atanh(x), [|3,5,...,15|], [|D...|], ..., x)
template <class V>
INLINE V log1p_reduced(V f) {
  if constexpr (is_double<V>) {
    const V s = f / (V(2) + f);
    const V z = s * s;
    const V rest = (z + z) * polynomial(z, 0x1.5555555555593p-2, 0x1.999999997fa39p-3, 0x1.2492494224e8ap-3,
                                        0x1.c71c51dcf7784p-4, 0x1.74664887e9802p-4, 0x1.39a0b4d8dc91dp-4,
                                        0x1.2f103aed59c2fp-4);
    return muladd(-s, f - rest, f);
  } else {
    const V q = polynomial(f, -0.5f, 0x1.55557p-2f, -0x1.000234p-2f, 0x1.99944ep-3f, -0x1.5466fep-3f,
                           0x1.239ce2p-3f, -0x1.0e96ccp-3f, 0x1.015974p-3f, -0x1.2a6f78p-4f);
    return muladd(f * f, q, f);
  }
}

/// y where x is positive and finite, else the logarithm's special value.
template <class V>
INLINE V log_specials(V x, V y) {
  y = x < infinity<V>() ? y : x;
  y = x < V(0) ? quiet_nan<V>() : y;
  return x == V(0) ? -infinity<V>() : y;
}

template <class V>
INLINE V ln2() {
  return number<V>(0x1.62e43p-1f, 0x1.62e42fefa39efp-1);
}

template <class V>
INLINE V log_of(V x) {
  const Split<V> a = split_exponent(x);
  return log_specials(x, muladd(a.k, ln2<V>(), log1p_reduced(a.m - V(1))));
}

template <class V>
INLINE V log2_of(V x) {
  const Split<V> a = split_exponent(x);
  return log_specials(x,
                      muladd(log1p_reduced(a.m - V(1)), number<V>(0x1.715476p0f, 0x1.71547652b82fep0), a.k));
}

template <class V>
INLINE V log10_of(V x) {
  const Split<V> a = split_exponent(x);
  const V log_m = log1p_reduced(a.m - V(1)) * number<V>(0x1.bcb7b2p-2f, 0x1.bcb7b1526e50ep-2);
  const V low = muladd(a.k, number<V>(-0x1.ec10cp-27f, -0x1.9dc1da994fd21p-59), log_m);
  return log_specials(x, muladd(a.k, number<V>(0x1.344136p-2f, 0x1.34413509f79ffp-2), low));
}

/// Returns log(1 + x) = k log 2 + log(1 + f). The exponent k is taken from the rounded sum 1 + x, but f =
/// 2^-k x + (2^-k - 1) is computed from x itself, so the rounding of 1 + x does not change the result.
template <class V>
INLINE V log1p_of(V x) {
  const V one_more = V(1) + x;
  const Split<V> a = split_exponent(one_more);
  const auto huge = x > number<V>(0x1p100f, 0x1p1000);
  const V scale = bits_as<V>(bits(V(1)) + bits(a.m) - bits(one_more));
  const V f = huge ? a.m - V(1) : muladd(x, scale, scale - V(1));
  const V y = muladd(a.k, ln2<V>(), log1p_reduced(f));
  const V result = log_specials(one_more, y);
  return magnitude(x) < number<V>(0x1p-26f, 0x1p-55) ? x : result;
}

} // namespace

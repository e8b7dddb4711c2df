#pragma once

// Logarithms. x = 2^k m, log x = k log 2 + log m.
//
// With float parts, m is in [3/4, 3/2). The upper bits of its significand select c close to 1 / m from a table, and
// log m = -log c + log(1 + r) for a small r = m c - 1. On other CPUs, reading a table costs more than it saves, and m is in
// [sqrt(1/2), sqrt(2)), or in [3/4, 3/2) for powers of double (pow.hpp).

#include "instructions.hpp"

namespace {

template <class V>
struct Split {
  V k, m;
};

/// True for normal x > 0, by one comparison: the bits of these are moved to the lower end of the signed
/// integers.
template <class V>
INLINE auto is_normal(V x) {
  using I = int_of<V>;
  using U = uint_of<V>;
  const U from_smallest =
      bits_as<U>(V(element_of<V>(-0.0f))) - bits_as<U>(power_of_two<V>(I(1 - exponent_bias<V>)));
  const U moved = bits_as<U>(x) + from_smallest, end = bits_as<U>(infinity<V>()) + from_smallest;
  return bits_as<I>(moved) < bits_as<I>(end);
}

/// The exponent of a normal x > 0, given the bits of x. x86 has no vector instruction before AVX-512 that
/// converts 64-bit integers to double. So the biased exponent is put into the significand of 0x1p52, which
/// gives the double 2^52 + exponent, and 2^52 + 1023 is subtracted.
template <class V>
INLINE V exponent_in(int_of<V> x) {
  using I = int_of<V>;
  using U = uint_of<V>;
  if constexpr (is_double<V>)
    return bits_as<V>(bits_as<I>(bits_as<U>(x) >> U(52ul)) | bits(V(0x1p52))) - V(0x1p52 + 1023);
  else
    return cast<V>((x >> I(23)) - I(127));
}

/// x = 2^k m with m in [low, 2 low), for a normal x > 0. For other x, k has no meaning.
template <class V>
INLINE Split<V> split_above(V x, V low) {
  using I = int_of<V>;
  const I above = bits(x) - bits(low), digits = I((element_of<I>(1) << significand_bits<V>)-1);
  V k;
  if constexpr (is_double<V>)
    k = exponent_in<V>(above + bits(V(1)));
  else
    k = cast<V>(above >> I(23));
  return {k, bits_as<V>((above & digits) + bits(low))};
}

/// The k and m of x, where m is in [3/4, 3/2) with float parts, and in [low, 2 low) without. The k of a number without
/// logarithm is the logarithm's special value: -infinity for 0, infinity for infinity, NaN for NaN and negative
/// numbers.
template <class V>
INLINE Split<V> log_parts(V x, V low = number<V>(0x1.6a09e6p-1f, 0x1.6a09e667f3bcdp-1)) {
  if (has_float_parts<V>()) {
    const V m = significand(x);
    return {exponent(x) - exponent(m), m};
  }
  Split<V> a = split_above(x, low);
  if (__builtin_expect(any_of(!is_normal(x)), false)) {
    const auto tiny = x < power_of_two<V>(int_of<V>(1 - exponent_bias<V>));
    a = split_above(tiny ? x * power_of_two<V>(int_of<V>(64)) : x, low);
    a.k -= tiny ? V(64) : V(0);
    a.k = x < infinity<V>() ? a.k : x;
    a.k = x < V(0) ? quiet_nan<V>() : a.k;
    a.k = x == V(0) ? -infinity<V>() : a.k;
  }
  return a;
}

// c and -log c for n = 16 (float: 32) intervals of m: [1 + i/n, 1 + (i+1)/n) and, from i = n/2 on,
// half of them. c is 1 for the interval (float: two) at either side of 1. Elsewhere c is close to the
// reciprocal of the interval's centre, and -log c is a multiple of 2^-43 (2^-17), with an error
// below 2^-62 (2^-31). So k ln2_high() - log c is exact. The c of pow.hpp have few digits instead, which gives an exact
// m c, and -log c is a sum of two entries.
// clang-format off
template <class E> TABLE E inverses[] = {
    0x1p0, 0x1.d562d9596a8fbp-1, 0x1.bb9b01e63da8p-1, 0x1.a42671f59f029p-1, 0x1.90444e820b907p-1,
    0x1.7d3f587ab0331p-1, 0x1.6c196c130c446p-1, 0x1.5cc8ae5a0a4e1p-1, 0x1.4dfd2e2a9e67cp0,
    0x1.41659ec9966ddp0, 0x1.34b41d7d92263p0, 0x1.29d8273873fcep0, 0x1.1ee5dfc41bfa8p0, 0x1.15e91931b3275p0,
    0x1.0cb7451ae3193p0, 0x1p0};
template <class E> TABLE E minus_logs[] = {
    0, 0x1.63f017dad8p-4, 0x1.25a91e9aebp-3, 0x1.94ea3f1e86p-3, 0x1.f83429b888p-3, 0x1.2df3f980fa8p-2,
    0x1.5d145c06f6p-2, 0x1.8915c2097dp-2, -0x1.10501a85a7p-2, -0x1.d1eb464d66p-3, -0x1.7f64d8a553p-3,
    -0x1.360dd701b7p-3, -0x1.d2bc4f7168p-4, -0x1.505ef88d7p-4, -0x1.8d20222f5cp-5, 0};
template <> TABLE float inverses<float>[] = {
    0x1p0f, 0x1p0f, 0x1.dbc756p-1f, 0x1.cd6956p-1f, 0x1.c172ecp-1f, 0x1.b5254ap-1f, 0x1.a9ff58p-1f,
    0x1.9e3412p-1f, 0x1.94d24ap-1f, 0x1.8b3ac8p-1f, 0x1.818612p-1f, 0x1.789a08p-1f, 0x1.6fe0b2p-1f,
    0x1.68b94ap-1f, 0x1.5fb658p-1f, 0x1.5913f8p-1f, 0x1.516284p0f, 0x1.4adfd6p0f, 0x1.446868p0f,
    0x1.3e23f8p0f, 0x1.37d5b6p0f, 0x1.32037p0f, 0x1.2c2faap0f, 0x1.2726c4p0f, 0x1.21a79ep0f, 0x1.1d3496p0f,
    0x1.1823cp0f, 0x1.1352cep0f, 0x1.0e8d04p0f, 0x1.0a898ap0f, 0x1p0f, 0x1p0f};
template <> TABLE float minus_logs<float>[] = {
    0, 0, 0x1.2c88p-4f, 0x1.aa2p-4f, 0x1.0adcp-3f, 0x1.43b4p-3f, 0x1.789cp-3f, 0x1.b21cp-3f, 0x1.e108p-3f,
    0x1.0912p-2f, 0x1.2288p-2f, 0x1.3a82p-2f, 0x1.5282p-2f, 0x1.669ep-2f, 0x1.8086p-2f, 0x1.9406p-2f,
    -0x1.1aacp-2f, -0x1.06b8p-2f, -0x1.e504p-3f, -0x1.bd1p-3f, -0x1.941p-3f, -0x1.6d78p-3f, -0x1.4618p-3f,
    -0x1.2374p-3f, -0x1.f9e8p-4f, -0x1.ba8p-4f, -0x1.7118p-4f, -0x1.2a1p-4f, -0x1.c4ep-5f, -0x1.4a7p-5f, 0,
    0};
// clang-format on

/// log(1 + r) - r, plus `with`, for the r of the table, by polynomials from Sollya: fpminimax(log(1+x), [|2,...,n|],
/// ..., i, relative, floating, x). For float, the interval i is [-1/16;1/16], and the relative error is 2^-31.5. For
/// double, i is [-1/32-1/512;1/16], and the error is 2^-56.3.
template <class V>
INLINE V log1p_rest(V r, V with) {
  V q;
  if constexpr (is_double<V>)
    q = polynomial(r, -0x1.ffffffffffffep-2, 0x1.5555555556124p-2, -0x1.000000000a309p-2,
                   0x1.9999997f4d5dfp-3, -0x1.555553813dce2p-3, 0x1.2492cae8055a6p-3, -0x1.000c5d0833fdcp-3,
                   0x1.c5f90c1600a8p-4, -0x1.6944e9f34a341p-4);
  else
    q = polynomial(r, -0.5f, 0x1.555516p-2f, -0x1.ffff7ep-3f, 0x1.9b3268p-3f, -0x1.56d104p-3f);
  return muladd(r * r, q, with);
}

/// k log 2 + log m, or k log 2 + log(m + rest), with float parts only. |low| is at most 1/16.
template <class V, class... Rest>
INLINE Pair<V> log_pair(V k, V m, Rest... rest) {
  const int_of<V> index = bits(m) >> int_of<V>(is_double<V> ? 48 : 18);
  const V c = entry<V>(index, inverses<element_of<V>>);
  const V high = entry<V>(index, minus_logs<element_of<V>>);
  V r = muladd(m, c, V(-1));
  ((r = muladd(rest, c, r)), ...);
  return {muladd(k, ln2_high<V>(), high), log1p_rest(r, muladd(k, ln2_low<V>(), r))};
}

/// log(1 + f) for sqrt(1/2) - 1 <= f <= sqrt(2) - 1.
/// The polynomials are from Sollya.
/// float: f + f² q(f), where q begins with -1/2; relative error 2^-26.9:
///   fpminimax(log(1+x)/x, [|2,...,9|], [|SG...|], ..., relative, floating, 1-x/2)
/// double: 2 atanh(s) for s = f / (2 + f); relative error 2^-59.5:
///   fpminimax(atanh(x), [|3,5,...,15|], [|D...|], ..., x)
template <class V>
INLINE V log1p_wide(V f) {
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

/// k log 2 + log m, or k log 2 + log(m + rest).
template <class V, class... Rest>
INLINE V log_of_parts(V k, V m, Rest... rest) {
  if (has_float_parts<V>()) {
    const Pair<V> y = log_pair(k, m, rest...);
    return y.high + y.low;
  }
  V f = m - V(1);
  ((f = f + rest), ...);
  return muladd(k, ln2<V>(), log1p_wide(f));
}

template <class V>
INLINE V log_of(V x) {
  const Split<V> a = log_parts(x);
  return log_of_parts(a.k, a.m);
}

// An infinite k is multiplied by positive factors only, so that the products are infinities of one sign and their sum
// is no NaN. Therefore the high parts of some constants are rounded down: their low parts are positive then.
/// factor log x, where the factor is a sum of two numbers.
template <class V>
INLINE V product(Pair<V> log_x, V factor, V factor_low) {
  return muladd(log_x.high, factor, muladd(log_x.low, factor, (log_x.high + log_x.low) * factor_low));
}

template <class V>
INLINE V log2_of(V x) {
  const Split<V> a = log_parts(x);
  if (has_float_parts<V>()) return product(log_pair(a.k, a.m), log2e<V>(), log2e_low<V>());
  return muladd(log1p_wide(a.m - V(1)), log2e<V>(), a.k);
}

template <class V>
INLINE V log10_of(V x) {
  const Split<V> a = log_parts(x);
  if (has_float_parts<V>())
    return product(log_pair(a.k, a.m), number<V>(0x1.bcb7bp-2f, 0x1.bcb7b1526e50ep-2),
                   number<V>(0x1.526e5p-26f, 0x1.95355baaafad3p-57));
  const V log_m = log1p_wide(a.m - V(1)) * number<V>(0x1.bcb7b2p-2f, 0x1.bcb7b1526e50ep-2);
  const V low = muladd(a.k, number<V>(0x1.09f7ap-26f, 0x1.e623e2566b02ep-55), log_m);
  return muladd(a.k, number<V>(0x1.344134p-2f, 0x1.34413509f79fep-2), low);
}

/// log(x + low) for |low| at most an ulp of x. Where `huge` holds, low counts as 0, and the result is log(2x) instead
/// of log(x) if `doubled`.
template <class V, class M>
INLINE V log_of_pair(V x, V low, M huge, bool doubled) {
  const Split<V> a = log_parts(x);
  using U = uint_of<V>;
  const U scale = bits_as<U>(V(1)) + bits_as<U>(a.m) - bits_as<U>(x);
  V k = a.k;
  if (doubled) k = huge ? k + V(1) : k;
  return log_of_parts(k, a.m, huge ? V(0) : low * bits_as<V>(scale));
}

/// log(1 + x + low) without the rounding of 1 + x, and +0 for -0.
template <class V>
INLINE V log1p_unsigned(V x, V low) {
  const V one_more = V(1) + x;
  return log_of_pair(one_more, x - (one_more - V(1)) + low, x > number<V>(0x1p60f, 0x1p500), false);
}
template <class V>
INLINE V log1p_of(V x) {
  return with_sign(log1p_unsigned(x, V(-0.0f)), x);
}

} // namespace

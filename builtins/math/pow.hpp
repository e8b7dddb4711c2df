#pragma once

// Powers: log x as a pair of numbers, times y, then e^.

#include "exp.hpp"
#include "instructions.hpp"
#include "log.hpp"

namespace {

// x = 2^k m with m in [3/4, 3/2) and m c = 1 + r, |r| < 0.0342. The table has c for m in 16 intervals, by the four
// highest bits of the significand of m + 1/32. c is 1 for m about 1, and short enough that r has no rounding.
// -log c is high + low, log 2 too: sums of the high parts and their products with k have no rounding.
template <class E>
__attribute__((aligned(64))) constexpr __constant E inverse_table[] = {
    0x1p0,     0x1.ep-1, 0x1.c8p-1, 0x1.bp-1, 0x1.98p-1, 0x1.88p-1, 0x1.7p-1, 0x1.6p-1,
    0x1.58p-1, 0x1.5p0,  0x1.4p0,   0x1.38p0, 0x1.28p0,  0x1.2p0,   0x1.18p0, 0x1.1p0};
template <class E>
__attribute__((aligned(64))) constexpr __constant E log_high_table[] = {0,
                                                                        0x1.08598b59e4p-4,
                                                                        0x1.da72763844p-4,
                                                                        0x1.5bf406b544p-3,
                                                                        0x1.d1037f2656p-3,
                                                                        0x1.1178e8227ep-2,
                                                                        0x1.522ae0738ap-2,
                                                                        0x1.7fafa3bd81p-2,
                                                                        0x1.973a343135p-2,
                                                                        -0x1.1675cababap-2,
                                                                        -0x1.c8ff7c79aap-3,
                                                                        -0x1.9525a9cf46p-3,
                                                                        -0x1.29552f82p-3,
                                                                        -0x1.e27076e2bp-4,
                                                                        -0x1.6f0d28ae58p-4,
                                                                        -0x1.f0a30c0118p-5};
template <class E>
__attribute__((aligned(64))) constexpr __constant E log_low_table[] = {0,
                                                                       -0x1.7e5dd7009902cp-46,
                                                                       0x1.a89401fa71733p-46,
                                                                       -0x1.27023eb68981cp-46,
                                                                       -0x1.84a7e75b6f6e4p-47,
                                                                       0x1.1ef78ce2d07f2p-44,
                                                                       0x1.ebe708164c759p-45,
                                                                       0x1.46fb79bf6d4cbp-44,
                                                                       0x1.ab73b16bf4984p-44,
                                                                       -0x1.8380e731f55c4p-44,
                                                                       0x1.7794f689f8434p-45,
                                                                       0x1.297137d9f158fp-44,
                                                                       0x1.5b967f4471dfcp-44,
                                                                       0x1.a342c2af0003cp-45,
                                                                       0x1.4b4641b664613p-44,
                                                                       0x1.d599e83368e91p-45};
template <>
__attribute__((aligned(64))) constexpr __constant float log_high_table<float>[] = {0,
                                                                                   0x1.086p-4f,
                                                                                   0x1.da7p-4f,
                                                                                   0x1.5bf8p-3f,
                                                                                   0x1.d1p-3f,
                                                                                   0x1.1178p-2f,
                                                                                   0x1.522cp-2f,
                                                                                   0x1.7fbp-2f,
                                                                                   0x1.973cp-2f,
                                                                                   -0x1.1674p-2f,
                                                                                   -0x1.c9p-3f,
                                                                                   -0x1.9528p-3f,
                                                                                   -0x1.2958p-3f,
                                                                                   -0x1.e27p-4f,
                                                                                   -0x1.6f1p-4f,
                                                                                   -0x1.f0ap-5f};
template <>
__attribute__((aligned(64))) constexpr __constant float log_low_table<float>[] = {0,
                                                                                  -0x1.9d2988p-18f,
                                                                                  0x1.3b1c22p-19f,
                                                                                  -0x1.fca55ep-18f,
                                                                                  0x1.bf932ap-18f,
                                                                                  0x1.d044fcp-19f,
                                                                                  -0x1.1f8c76p-18f,
                                                                                  -0x1.7109fap-20f,
                                                                                  -0x1.cbcecap-18f,
                                                                                  -0x1.cababap-18f,
                                                                                  0x1.070cacp-20f,
                                                                                  0x1.2b185ep-18f,
                                                                                  0x1.683fp-18f,
                                                                                  -0x1.db8abcp-22f,
                                                                                  0x1.6ba8d4p-19f,
                                                                                  -0x1.86008cp-20f};

template <class V>
INLINE V ln2_high() {
  return number<V>(0x1.62e4p-1f, 0x1.62e42fefa38p-1);
}
template <class V>
INLINE V ln2_low() {
  return number<V>(0x1.7f7d1cp-20f, 0x1.ef35793c7673p-45);
}

/// x = 2^k m with m in [low, 2 low), for a positive finite x, subnormal or not.
template <class V>
INLINE Split<V> split_above(V x, V low) {
  using I = int_of<V>;
  using U = uint_of<V>;
  const auto tiny = x < power_of_two<V>(I(1 - exponent_bias<V>));
  x = x * (tiny ? power_of_two<V>(I(64)) : V(1));
  if constexpr (is_double<V>) {
    const I above = bits(x) - bits(low) + bits(V(1));
    const I m = (above & I(0xfffffffffffff)) + bits(low);
    const V k = bits_as<V>(bits_as<I>(bits_as<U>(above) >> U(52ul)) | bits(V(0x1p52)));
    return {k - (tiny ? V(0x1p52 + 1023 + 64) : V(0x1p52 + 1023)), bits_as<V>(m)};
  } else {
    const I above = bits(x) - bits(low);
    const I m = (above & I(0x7fffff)) + bits(low);
    const V k = cast<V>(above >> I(23));
    return {tiny ? k - V(64) : k, bits_as<V>(m)};
  }
}

/// log m + k log 2 as high + low, by the table. Relative error below 2^-63 (double), 2^-34 (float).
/// fpminimax(log(1+x), [|3,...,n|], ..., [-0.0335;0.0342], relative, floating, x-x^2/2): 2^-66.9, 2^-36.8.
template <class V>
INLINE Pair<V> log_pair_by_table(V k, V m) {
  using E = element_of<V>;
  const int_of<V> index = bits(m + V(0x1p-5f)) >> int_of<V>(significand_bits<V> - 4);
  const V r = muladd(m, entry<V>(index, inverse_table<E>), V(-1));
  const V half_r = r * V(-0.5f);
  const V h = muladd(half_r, r, r), h_low = muladd(half_r, r, r - h);
  V q;
  if constexpr (is_double<V>)
    q = polynomial(r, 0x1.5555555555555p-2, -0x1.ffffffffffdd5p-3, 0x1.999999999b425p-3,
                   -0x1.5555555916b64p-3, 0x1.24924911c5517p-3, -0x1.ffffbaf81ecbbp-4, 0x1.c71d05733be67p-4,
                   -0x1.9a9c6e9f121efp-4, 0x1.73fa132e10545p-4);
  else
    q = polynomial(r, 0x1.55555p-2f, -0x1.000008p-2f, 0x1.9a1066p-3f, -0x1.554574p-3f);
  const V above = muladd(k, ln2_high<V>(), entry<V>(index, log_high_table<E>));
  const V below = muladd(k, ln2_low<V>(), entry<V>(index, log_low_table<E>));
  const Pair<V> sum = fast_sum(above, h);
  return {sum.high, sum.low + (below + muladd(r * r * r, q, h_low))};
}

/// log m + k log 2 as high + low for float, by 2 atanh((m - 1) / (m + 1)). Relative error below 2^-29.
template <class V>
INLINE Pair<V> log_pair_by_division(V k, V m) {
  const V f = m - V(1), sum = V(1) + m, sum_low = m - (sum - V(1));
  const V inverse = V(2) / sum;
  const V s = f * inverse;
  const V t = s * V(0.5f);
  const V s_low = muladd(-t, sum_low, muladd(-t, sum, f)) * inverse;
  const V z = t * t;
  const V q = polynomial(z, 0x1.555554p-1f, 0x1.999bd2p-2f, 0x1.23f25p-2f, 0x1.ec01p-3f);
  const Pair<V> high = fast_sum(k * ln2_high<V>(), s);
  return {high.high, high.low + muladd(k, ln2_low<V>(), muladd(t * z, q, s_low))};
}

/// log x as high + low, where low is below 2^-10 high; high is -infinity for 0, infinity for infinity, NaN for NaN and
/// negative x.
template <class V>
INLINE Pair<V> log_pair(V x) {
  if (has_float_parts<V>()) {
    const V m = significand(x);
    return log_pair_by_table(exponent(x) - exponent(m), m);
  }
  Pair<V> l;
  if constexpr (is_double<V>) {
    const Split<V> a = split_above(x, V(0.75f));
    l = log_pair_by_table(a.k, a.m);
  } else {
    const Split<V> a = split_above(x, V(0x1.6a09e6p-1f));
    l = log_pair_by_division(a.k, a.m);
  }
  l.high = log_specials(x, l.high);
  return l;
}

/// e^(high + low) for any high, where low is below high / 512; low is ignored if the result is 0, infinity or NaN.
/// fpminimax(exp(x), [|1,...,n|], ..., [-log(2)/2;log(2)/2], relative, floating, 1): 2^-28.0, 2^-57.6.
template <class V>
INLINE V exp_of_pair(V high, V low) {
  using I = int_of<V>;
  const auto moderate = magnitude(high) < number<V>(112, 800);
  low = moderate ? low : V(0);
  if (!has_float_parts<V>()) high = at_most(at_least(high, number<V>(-112, -800)), number<V>(112, 800));
  const V t = muladd(high + low, number<V>(0x1.715476p0f, 0x1.71547652b82fep0), round_magic<V>());
  const V n = t - round_magic<V>();
  V r = muladd(n, -ln2_high<V>(), high) + muladd(n, -ln2_low<V>(), low);
  if (has_float_parts<V>()) r = moderate ? r : V(0);
  V p;
  if constexpr (is_double<V>)
    p = polynomial(r, 1.0, 1.0, 0x1.000000000000cp-1, 0x1.555555555551bp-3, 0x1.555555554fe6bp-5,
                   0x1.111111111fa02p-7, 0x1.6c16c185e81bdp-10, 0x1.a01a01558b177p-13, 0x1.a01996195a72fp-16,
                   0x1.71dec6256698dp-19, 0x1.28b09af47f7e5p-22, 0x1.ae14626a27096p-26);
  else
    p = polynomial(r, 1.0f, 1.0f, 0x1.fffff8p-2f, 0x1.55548cp-3f, 0x1.555b82p-5f, 0x1.123cf6p-7f,
                   0x1.686a4p-10f);
  if (has_float_parts<V>()) return scale(p, n);
  const I half_n = bits(muladd(n, V(0.5f), round_magic<V>())), rest = bits(t) - half_n;
  const I digits = I(significand_bits<V>);
  return p * bits_as<V>((half_n << digits) + bits(V(1))) * bits_as<V>((rest << digits) + bits(V(1)));
}

/// x^y for x >= 0; NaN where powr has it.
template <class V>
INLINE V power(V x, V y) {
  const Pair<V> l = log_pair(x);
  const V high = y * l.high;
  return exp_of_pair(high, muladd(y, l.low, muladd(y, l.high, -high)));
}
template <class V>
INLINE V power(V x, Pair<V> y) {
  const Pair<V> l = log_pair(x);
  const V high = y.high * l.high;
  return exp_of_pair(high, muladd(y.high, l.low, muladd(y.low, l.high, muladd(y.high, l.high, -high))));
}

template <class V>
INLINE V powr_of(V x, V y) {
  return power(x, y);
}

template <class V>
INLINE V pow_of(V x, V y) {
  V result = power(magnitude(x), y);
  const auto special = is_negative(x) | (result != result);
  if (__builtin_expect(any_of(special), false)) {
    const V half_y = y * V(0.5f);
    const auto whole = to_zero(y) == y;
    const auto odd = whole & (to_zero(half_y) != half_y);
    result = odd ? xor_sign(result, x) : result;
    result = ((x < V(0)) & (x > -infinity<V>()) & !whole) ? quiet_nan<V>() : result;
    const auto one = (y == V(0)) | (x == V(1)) | ((x == V(-1)) & is_infinite(y));
    result = one ? V(1) : result;
  }
  return result;
}

/// An integer as an exact pair.
template <class V>
INLINE Pair<V> pair_of_integer(int_like<V> n) {
  using N = int_like<V>;
  if constexpr (is_double<V>) {
    return {cast<V>(n), V(0)};
  } else {
    const V above = cast<V>(n & N(-65536)), below = cast<V>(n & N(65535));
    return fast_sum(above, below);
  }
}

/// x where n is odd, else 0: only its sign counts.
template <class V>
INLINE V if_odd(V x, int_like<V> n) {
  const int_of<V> y = bits(x) & (cast<int_of<V>>(n) << int_of<V>(sizeof(element_of<V>) * 8 - 1));
  return bits_as<V>(y);
}

template <class V>
INLINE V pown_of(V x, int_like<V> n) {
  const V result = power(magnitude(x), pair_of_integer<V>(n));
  return cast<int_of<V>>(n) == int_of<V>(0) ? V(1) : xor_sign(result, if_odd(x, n));
}

template <class V>
INLINE V rootn_of(V x, int_like<V> n) {
  const V n_high = cast<V>(n);
  const V inverse = V(1) / n_high;
  const V sign = if_odd(x, n);
  const V result = power(xor_sign(x, sign), Pair<V>{inverse, muladd(-inverse, n_high, V(1)) * inverse});
  return n_high == V(0) ? quiet_nan<V>() : xor_sign(result, sign);
}

} // namespace

#pragma once

// Powers: log x as a sum of two numbers, multiplied by y, and e to the power of the product.

#include "exp.hpp"
#include "log.hpp"

namespace {

// The logarithm of m in [3/4, 3/2) is log(1 + r) - log c for m c = 1 + r with |r| < 0.0342. The number c has so few
// bits that fma(m, c, -1) gives r exactly. c is 1 for m about 1, so that little cancels there.
//
// With float parts, the four highest bits of the significand of m + 1/32 choose c from `short_inverses`. On other CPUs,
// look-ups are slow: for double, c is computed as a multiple of 1/32 near 1 / m, and only -log c is looked up, in
// tables with 32 entries whose index is 32 c modulo 32. For float, log_pair_by_division() needs no table.
//
// The tables have -log c as a sum. The high part is a multiple of 2^-42 (double) or 2^-16 (float), as ln2_high() is: so
// k ln2_high() + high is exact for the exponent k of any number.
// clang-format off
template <class E> TABLE E short_inverses[] = {
    0x1p0, 0x1.ep-1, 0x1.c8p-1, 0x1.bp-1, 0x1.98p-1, 0x1.88p-1, 0x1.7p-1, 0x1.6p-1, 0x1.58p-1, 0x1.5p0,
    0x1.4p0, 0x1.38p0, 0x1.28p0, 0x1.2p0, 0x1.18p0, 0x1.1p0};
template <class E> TABLE E minus_logs_high[] = {
    0, 0x1.08598b59e4p-4, 0x1.da72763844p-4, 0x1.5bf406b544p-3, 0x1.d1037f2656p-3, 0x1.1178e8227ep-2,
    0x1.522ae0738ap-2, 0x1.7fafa3bd81p-2, 0x1.973a343135p-2, -0x1.1675cababap-2, -0x1.c8ff7c79aap-3,
    -0x1.9525a9cf46p-3, -0x1.29552f82p-3, -0x1.e27076e2bp-4, -0x1.6f0d28ae58p-4, -0x1.f0a30c0118p-5};
template <class E> TABLE E minus_logs_low[] = {
    0, -0x1.7e5dd7009902cp-46, 0x1.a89401fa71733p-46, -0x1.27023eb68981cp-46, -0x1.84a7e75b6f6e4p-47,
    0x1.1ef78ce2d07f2p-44, 0x1.ebe708164c759p-45, 0x1.46fb79bf6d4cbp-44, 0x1.ab73b16bf4984p-44,
    -0x1.8380e731f55c4p-44, 0x1.7794f689f8434p-45, 0x1.297137d9f158fp-44, 0x1.5b967f4471dfcp-44,
    0x1.a342c2af0003cp-45, 0x1.4b4641b664613p-44, 0x1.d599e83368e91p-45};
template <> TABLE float minus_logs_high<float>[] = {
    0, 0x1.086p-4f, 0x1.da7p-4f, 0x1.5bf8p-3f, 0x1.d1p-3f, 0x1.1178p-2f, 0x1.522cp-2f, 0x1.7fbp-2f,
    0x1.973cp-2f, -0x1.1674p-2f, -0x1.c9p-3f, -0x1.9528p-3f, -0x1.2958p-3f, -0x1.e27p-4f, -0x1.6f1p-4f,
    -0x1.f0ap-5f};
template <> TABLE float minus_logs_low<float>[] = {
    0, -0x1.9d2988p-18f, 0x1.3b1c22p-19f, -0x1.fca55ep-18f, 0x1.bf932ap-18f, 0x1.d044fcp-19f,
    -0x1.1f8c76p-18f, -0x1.7109fap-20f, -0x1.cbcecap-18f, -0x1.cababap-18f, 0x1.070cacp-20f, 0x1.2b185ep-18f,
    0x1.683fp-18f, -0x1.db8abcp-22f, 0x1.6ba8d4p-19f, -0x1.86008cp-20f};
TABLE double minus_logs_high_32nds[] = {
    0, -0x1.f829b0e78p-6, -0x1.f0a30c0118p-5, -0x1.6f0d28ae58p-4, -0x1.e27076e2bp-4, -0x1.29552f82p-3,
    -0x1.5ff3070a7ap-3, -0x1.9525a9cf46p-3, -0x1.c8ff7c79aap-3, -0x1.fb9186d5e4p-3, -0x1.1675cababap-2,
    -0x1.2e8e2bae12p-2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1.af5295248dp-2, 0x1.7fafa3bd81p-2, 0x1.522ae0738ap-2,
    0x1.269621134ep-2, 0x1.f991c6cb3cp-3, 0x1.a93ed3c8aep-3, 0x1.5bf406b544p-3, 0x1.1178e8227ep-3,
    0x1.9335e5d594p-4, 0x1.08598b59e4p-4, 0x1.0415d89e78p-5};
TABLE double minus_logs_low_32nds[] = {
    0, -0x1.980267c7e09e4p-45, 0x1.d599e83368e91p-45, 0x1.4b4641b664613p-44, 0x1.a342c2af0003cp-45,
    0x1.5b967f4471dfcp-44, 0x1.8586f183bebf2p-44, 0x1.297137d9f158fp-44, 0x1.7794f689f8434p-45,
    0x1.d572aab993c87p-47, -0x1.8380e731f55c4p-44, 0x1.67b1e99b72bd8p-45, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    -0x1.17cc552774458p-45, 0x1.46fb79bf6d4cbp-44, 0x1.ebe708164c759p-45, -0x1.1b61f10522625p-44,
    -0x1.90d04cd7cc834p-44, -0x1.8724350562169p-45, -0x1.27023eb68981cp-46, 0x1.1ef78ce2d07f2p-45,
    0x1.3115c3abd47dap-45, -0x1.7e5dd7009902cp-46, -0x1.dddc7f461c516p-44};
// clang-format on

/// k log 2 + log(1 + r) - log c as high + low. Relative error below 2^-63 (double), 2^-34 (float).
/// fpminimax(log(1+x), [|3,...,n|], ..., [-0.0335;0.0342], relative, floating, x-x^2/2): 2^-66.9, 2^-36.8.
template <class V, int entries>
INLINE Pair<V> log_pair_by_table(V k, V r, int_of<V> index, const __constant element_of<V> (&high)[entries],
                                 const __constant element_of<V> (&low)[entries]) {
  const V half_r = r * V(-0.5f);
  const V h = muladd(half_r, r, r), h_low = muladd(half_r, r, r - h);
  V q;
  if constexpr (is_double<V>)
    q = polynomial_in_halves(r, r * r, 0x1.5555555555555p-2, -0x1.ffffffffffdd5p-3, 0x1.999999999b425p-3,
                             -0x1.5555555916b64p-3, 0x1.24924911c5517p-3, -0x1.ffffbaf81ecbbp-4,
                             0x1.c71d05733be67p-4, -0x1.9a9c6e9f121efp-4, 0x1.73fa132e10545p-4);
  else
    q = polynomial_in_halves(r, r * r, 0x1.55555p-2f, -0x1.000008p-2f, 0x1.9a1066p-3f, -0x1.554574p-3f);
  const V above = muladd(k, ln2_high<V>(), entry<V>(index, high));
  const V below = muladd(k, ln2_low<V>(), entry<V>(index, low));
  const Pair<V> sum = fast_sum(above, h);
  const Pair<V> total = fast_sum(sum.high, muladd(r * r * r, q, h_low));
  return {total.high, total.low + (sum.low + below)};
}

/// log m + k log 2 as high + low for float, by 2 atanh(s) with s = (m - 1) / (m + 1). Relative error below 2^-29.
/// fpminimax(log((1+x)/(1-x)), [|3,5,7|], ..., [2^-70;0.1717], relative, floating, 2*x): 2^-30.2.
template <class V>
INLINE Pair<V> log_pair_by_division(V k, V m) {
  const V f = m - V(1), sum = V(1) + m, sum_low = m - (sum - V(1));
  const V inverse = V(1) / sum;
  const V s = f * inverse, z = s * s;
  const V s_low = muladd(-s, sum_low, muladd(-s, sum, f)) * (inverse + inverse);
  const V q = polynomial(z, 0x1.55557ap-1f, 0x1.995eccp-2f, 0x1.31e26p-2f);
  const Pair<V> first = fast_sum(k * ln2_high<V>(), s + s);
  const Pair<V> total = fast_sum(first.high, s * z * q);
  const V rest = s_low + muladd(k, ln2_low<V>(), first.low);
  return {total.high, total.low + muladd(z, s_low, rest)};
}

/// log x as high + low, where low is below 2^-16 high; high is -infinity for 0, infinity for infinity, NaN for NaN and
/// negative x.
template <class V>
INLINE Pair<V> log_pair(V x) {
  using E = element_of<V>;
  const Split<V> a = log_parts(x, number<V>(0x1.6a09e6p-1f, 0.75));
  if (has_float_parts<V>()) {
    const int_of<V> index = bits(a.m + V(0x1p-5f)) >> int_of<V>(significand_bits<V> - 4);
    const V r = muladd(a.m, entry<V>(index, short_inverses<E>), V(-1));
    return log_pair_by_table(a.k, r, index, minus_logs_high<E>, minus_logs_low<E>);
  }
  if constexpr (is_double<V>) {
    // About 1 / m, such that the nearest multiple of 1/32 gives |r| <= 1/32, and is 1 where |log m| < 0.014.
    const V inverse = polynomial(a.m, 2.819, -2.61, 0.79);
    const V magic = V(0x1.8p47), t = inverse + magic;
    return log_pair_by_table(a.k, muladd(a.m, t - magic, V(-1)), bits(t), minus_logs_high_32nds,
                             minus_logs_low_32nds);
  } else {
    return log_pair_by_division(a.k, a.m);
  }
}

/// e^(high + low) for a sum below 0.35.
template <class V>
INLINE V exp_reduced(V high, V low) {
  const V r = high + low, square = r * r, q = expm1_factor(r, square);
  if constexpr (is_double<V>) {
    const Pair<V> sum = fast_sum(V(1), high);
    return sum.high + muladd(square, q, sum.low + low);
  } else {
    return muladd(r, muladd(r, q, V(1)), V(1));
  }
}

/// e^(high + low) for any high, where low is below 2^-16 high. low may be NaN if high is not finite.
template <class V>
INLINE V exp_of_pair(V high, V low) {
  using I = int_of<V>;
  const V limit = number<V>(112, 800);
  const auto moderate = magnitude(high) < limit;
  if (has_float_parts<V>()) {
    Reduced<V> a = reduce_sixteenth(high, log2e<V>(), log2e_low<V>());
    a.r = moderate ? muladd(low, log2e<V>(), a.r) : V(0);
    return exp2_sixteenth<V, true>(a);
  }
  low = moderate ? low : V(0);
  high = at_most(at_least(high, -limit), limit);
  const V bias = V(element_of<V>(exponent_bias<V>)), magic = round_magic<V>() + (bias + bias);
  const V t = muladd(high, log2e<V>(), magic), n = t - magic;
  // The bits of these sums end in the biased exponents of two factors 2^(n/2).
  const I half_n = bits(muladd(n, V(0.5f), round_magic<V>() + bias)), rest = bits(t) - half_n;
  const I digits = I(significand_bits<V>);
  return exp_reduced(muladd(n, -ln2_high<V>(), high), muladd(n, -ln2_low<V>(), low)) *
         bits_as<V>(half_n << digits) * bits_as<V>(rest << digits);
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

/// pow(x, y) for size = powr(|x|, y).
template <class V>
INLINE V pow_of_size(V size, V x, V y) {
  V result = size;
  const auto special = (is_negative(x) | (size != size)) != int_of<V>(0);
  if (__builtin_expect(any_of(special), false)) {
    const V half_y = y * V(0.5f);
    const auto whole = to_zero(y) == y;
    const auto odd = whole & (to_zero(half_y) != half_y);
    result = odd ? xor_sign(size, x) : size;
    result = ((x < V(0)) & (x > -infinity<V>()) & !whole) ? quiet_nan<V>() : result;
    const auto one = (y == V(0)) | (x == V(1)) | ((x == V(-1)) & is_infinite(y));
    result = one ? V(1) : result;
  }
  return result;
}
template <class V>
INLINE V pow_of(V x, V y) {
  return pow_of_size(power(magnitude(x), y), x, y);
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

/// True for each odd n, as a condition for V.
template <class V>
INLINE auto is_odd(int_like<V> n) {
  using N = int_like<V>;
  return cast<int_of<V>>(n & N(1)) != int_of<V>(0);
}

/// A number with the sign of x if n is odd, else 0.
template <class V>
INLINE V if_odd(V x, int_like<V> n) {
  const int_of<V> y = bits(x) & (cast<int_of<V>>(n) << int_of<V>(sizeof(element_of<V>) * 8 - 1));
  return bits_as<V>(y);
}

/// x^n for |n| < 16 by repeated squaring, where each factor is a sum of two numbers. For other n, the result has no
/// meaning.
template <class V>
INLINE V small_power(V x, int_like<V> n) {
  using N = int_like<V>;
  Pair<V> square = {x, V(0)};
  const auto negative = cast<int_of<V>>(n) < int_of<V>(0);
  if (any_of(negative)) {
    const V inverse = V(1) / x;
    square.high = negative ? inverse : x;
    square.low = negative ? muladd(-inverse, x, V(1)) * inverse : V(0);
  }
  N rest = __builtin_elementwise_abs(n);
  const auto odd = is_odd<V>(rest);
  Pair<V> result = {odd ? square.high : V(1), odd ? square.low : V(0)};
#pragma unroll
  for (int bit = 1; bit < 4; ++bit) {
    const Pair<V> next = exact_product(square.high, square.high);
    square = {next.high, muladd(square.high + square.high, square.low, next.low)};
    rest = rest >> N(1);
    const auto set = is_odd<V>(rest);
    const Pair<V> product = exact_product(result.high, square.high);
    const V low = muladd(result.high, square.low, muladd(result.low, square.high, product.low));
    result = {set ? product.high : result.high, set ? low : result.low};
  }
  // The low part of zero or infinity may be NaN.
  return magnitude(result.low) < magnitude(result.high) ? result.high + result.low : result.high;
}

template <class V>
INLINE V pown_of(V x, int_like<V> n) {
  using N = int_like<V>;
  V result = small_power(x, n);
  // The low parts of products near the subnormal range are inexact.
  const V size = magnitude(result);
  const auto tiny = (size < number<V>(0x1p-120f, 0x1p-1016)) & (size > V(0));
  const auto large = cast<int_of<V>>(((n > N(15)) | (n < N(-15)))) != int_of<V>(0);
  const auto general = (tiny | large) != int_of<V>(0);
  if (any_of(general)) {
    const V y = power(magnitude(x), pair_of_integer<V>(n));
    result = general ? xor_sign(y, if_odd(x, n)) : result;
  }
  return result;
}

/// x^(1/n), with 1/n as a sum of two numbers. The sum x + 0 is 0 for -0, as rootn(-0, 2) is.
template <class V>
INLINE V rootn_of(V x, int_like<V> n) {
  if (!any_of(n != int_like<V>(2))) return square_root(x + V(0));
  const V n_high = cast<V>(n);
  const V inverse = V(1) / n_high;
  const V sign = if_odd(x, n);
  const V result = power(xor_sign(x, sign), Pair<V>{inverse, muladd(-inverse, n_high, V(1)) * inverse});
  return n_high == V(0) ? quiet_nan<V>() : xor_sign(result, sign);
}

} // namespace

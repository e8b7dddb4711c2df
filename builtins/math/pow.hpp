#pragma once

// Powers: log2 x as a pair of numbers, times y, then 2^.

#include "exp.hpp"
#include "log.hpp"

namespace {

/// log2 of x > 0 as high + low, with -infinity for 0, infinity for infinity, NaN for NaN. log2 m = 2/ln 2
/// atanh(s), s = (m - 1) / (m + 1) as a pair. Relative error below 2^-29 (float) and 2^-62 (double). The
/// polynomials are fpminimax(log2((1+x)/(1-x)), [|3,5,...,n|], ..., [2^-70;0.1717], relative, floating,
/// 2/log(2) x).
template <class V>
INLINE Pair<V> log2_pair(V x) {
  const Split<V> a = split_exponent(x);
  const V f = a.m - V(1);
  const Pair<V> sum = {V(1) + a.m, a.m - ((V(1) + a.m) - V(1))};
  const V inverse = V(1) / sum.high;
  const V s = f * inverse;
  const V s_low = muladd(-s, sum.low, muladd(-s, sum.high, f)) * inverse;
  const V z = s * s;
  const V c_high = number<V>(0x1.715476p1f, 0x1.71547652b82fep1);
  const V c_low = number<V>(0x1.4ae0cp-25f, 0x1.777d0ffda0d24p-55);
  Pair<V> log_m;
  if constexpr (is_double<V>) {
    // s (c + z (c3 + z q)), where the term in c3 needs some more bits than a number has as well.
    const V q = z * polynomial(z, 0x1.2776c50ef9e6dp-1, 0x1.a61762a72fe97p-2, 0x1.484b14363c8dep-2,
                               0x1.0c9a5e3e67439p-2, 0x1.c6a13d420d5eap-3, 0x1.878e7297c5b99p-3,
                               0x1.870520c2e26e9p-3);
    const V z_low = muladd(s, s, -z) + V(2) * s * s_low;
    const Pair<V> c3 = fast_sum(V(0x1.ec709dc3a03fdp-1), q);
    const Pair<V> u = exact_product(z, c3.high);
    const V u_low = muladd(z_low, c3.high, muladd(z, c3.low, u.low));
    const Pair<V> w = fast_sum(c_high, u.high);
    const V w_low = w.low + (u_low + c_low);
    log_m = exact_product(s, w.high);
    log_m.low += muladd(s, w_low, s_low * w.high);
  } else {
    const V q = z * polynomial(z, 0x1.ec709ep-1f, 0x1.2776ecp-1f, 0x1.a5c7b8p-2f, 0x1.594c6p-2f);
    log_m = exact_product(s, c_high);
    log_m.low += muladd(s, q + c_low, s_low * c_high);
  }
  const Pair<V> total = fast_sum(a.k, log_m.high);
  V high = x < infinity<V>() ? total.high : x;
  high = x == V(0) ? -infinity<V>() : high;
  return {high, total.low + log_m.low};
}

/// 2^(y l), for any l that log2_pair gives and y = y.high + y.low.
template <class V>
INLINE V exp2_product(Pair<V> l, Pair<V> y) {
  const V high = y.high * l.high;
  V low = muladd(y.high, l.high, -high);
  low = muladd(y.high, l.low, low);
  low = muladd(y.low, l.high, low);
  low = magnitude(high) < number<V>(512, 4096) ? low : V(0);
  const Pair<V> product = fast_sum(at_least(high, number<V>(-152, -1077)), low);
  const Reduced<V> a = reduce_one(product.high);
  const V y2 = insert_exponent(exp2_reduced(a.r + product.low), a);
  // The logarithm of the largest numbers rounds to the limit: the low part decides.
  const V excess = (product.high - number<V>(128, 1024)) + product.low;
  return excess < V(0) ? y2 : product.high + infinity<V>();
}

template <class V>
INLINE V powr_of(V x, V y) {
  const V result = exp2_product(log2_pair(x), Pair<V>{y, V(0)});
  return x < V(0) ? quiet_nan<V>() : result;
}

template <class V>
INLINE V pow_of(V x, V y) {
  const V size = magnitude(x);
  V result = exp2_product(log2_pair(size), Pair<V>{y, V(0)});
  const V half_y = y * V(0.5f);
  const auto whole = to_zero(y) == y;
  const auto odd = whole & (to_zero(half_y) != half_y);
  result = odd ? xor_sign(result, x) : result;
  result = ((x < V(0)) & (size < infinity<V>()) & !whole) ? quiet_nan<V>() : result;
  const auto one = (y == V(0)) | (x == V(1)) | ((size == V(1)) & is_infinite(y));
  return one ? V(1) : result;
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

/// True for each element whose exponent is odd, as a condition for V.
template <class V>
INLINE auto is_odd(int_like<V> n) {
  using N = int_like<V>;
  return cast<int_of<V>>(n & N(1)) != int_of<V>(0);
}

template <class V>
INLINE V pown_of(V x, int_like<V> n) {
  const V result = exp2_product(log2_pair(magnitude(x)), pair_of_integer<V>(n));
  const V with_parity = is_odd<V>(n) ? xor_sign(result, x) : result;
  return cast<int_of<V>>(n) == int_of<V>(0) ? V(1) : with_parity;
}

template <class V>
INLINE V rootn_of(V x, int_like<V> n) {
  const V n_high = cast<V>(n);
  const V inverse = V(1) / n_high;
  const Pair<V> y = {inverse, muladd(-inverse, n_high, V(1)) * inverse};
  const V result = exp2_product(log2_pair(magnitude(x)), y);
  const auto odd = is_odd<V>(n);
  const V with_parity = odd ? xor_sign(result, x) : result;
  const auto undefined = (n_high == V(0)) | ((x < V(0)) & !odd);
  return undefined ? quiet_nan<V>() : with_parity;
}

} // namespace

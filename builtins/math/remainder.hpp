#pragma once

// fmod, remainder and remquo: exact. For a whole number q that is x / y with an error of at most 1, fma(-q, y, x) is
// exact, and differs from the result by at most one y. If any lane's quotient is too large for this, a loop computes 20
// (float) or 49 (double) bits of the quotient in each iteration.

#include "instructions.hpp"

namespace {

/// |x| = quotient |y| + rest, 0 <= rest < |y|; only the low 8 bits of the quotient are kept. For finite x and
/// y, y not 0.
template <class V>
struct Division {
  V rest;
  int_of<V> quotient;
};

/// log2 of a positive number, rounded down; for subnormal numbers, log2 of the smallest normal number.
template <class V>
INLINE int_of<V> rough_exponent(V x) {
  using I = int_of<V>;
  const I e = (bits(x) >> I(element_of<I>(significand_bits<V>)));
  return (e > I(1) ? e : I(1)) - I(element_of<I>(exponent_bias<V>));
}

/// With q = trunc(r / y) below 2^significand, fma(-q, y, r) has no rounding, and q is at most 1 too large.
template <class V>
INLINE Division<V> divide(V x, V y) {
  using I = int_of<V>;
  using E = element_of<I>;
  constexpr E step = significand_bits<V> - 3;
  const auto tiny = y < smallest_normal<V>();
  const V normal_y = tiny ? y * power_of_two<V>(I(64)) : y;
  const I exponent = rough_exponent(normal_y) - (tiny ? I(64) : I(0));
  const V significand = bits_as<V>(bits(normal_y) - (rough_exponent(normal_y) << I(E(significand_bits<V>))));
  I k = rough_exponent(x) - exponent - I(step);
  k = k > I(0) ? k : I(0);
  Division<V> d = {x, I(0)};
  while (true) {
    const V unit = scaled(significand, exponent + k);
    V q = to_zero(d.rest / unit);
    const V rest = muladd(-q, unit, d.rest);
    const auto too_large = is_negative(rest); // -0 if subnormal numbers count as zeros
    q = too_large ? q - V(1) : q;
    d.rest = too_large ? muladd(-q, unit, d.rest) : rest;
    const I low = bits(q + V(element_of<V>(E(1) << significand_bits<V>))) & I(255);
    d.quotient += k < I(8) ? low << (k & I(7)) : I(0);
    if (!any_of(k > I(0))) return d;
    k = k > I(step) ? k - I(step) : I(0);
  }
}

/// round_magic() + x / y for positive numbers: the low bits are the rounded quotient. With float parts, the error of
/// the quotient is below 1 only if the quotient is below 2^22 (float) or 2^41 (double).
template <class V>
INLINE V rounded_quotient(V x, V y) {
  if (!has_float_parts<V>()) return x / y + round_magic<V>();
  const V estimate = reciprocal(y);
  V e = muladd(-y, estimate, V(1));
  if constexpr (is_double<V>) e = muladd(e, e, e);
  return muladd(x, muladd(estimate, e, estimate), round_magic<V>());
}

template <class V>
INLINE auto is_divisible(V x, V y) {
  return (magnitude(x) < infinity<V>()) & (y == y) & (y != V(0));
}

/// A rest in [0, |y|) is the result, whatever the error of the quotient was. The bits of negative numbers and NaN, as
/// unsigned integers, are larger than those of other numbers.
template <class V>
INLINE V fmod_of(V x, V y) {
  using U = uint_of<V>;
  const V a = magnitude(x), b = magnitude(y);
  const V minus_q = round_magic<V>() - rounded_quotient(a, b);
  V rest = muladd(minus_q, b, a);
  // If subnormal numbers count as zeros, a negative subnormal rest is -0, for which is_negative() is true.
  rest = is_negative(rest) ? muladd(minus_q + V(1), b, a) : rest;
  const auto found = bits_as<U>(rest) < bits_as<U>(b);
  if (__builtin_expect(any_of(!found), false)) {
    rest = b == infinity<V>() ? a : divide(a, b).rest;
    rest = is_divisible(x, y) ? rest : quiet_nan<V>();
  }
  return xor_sign(rest, x);
}

template <class V>
INLINE V remquo_unscaled(V x, V y, __private int_of<V>& quotient) {
  using I = int_of<V>;
  using E = element_of<I>;
  const V a = magnitude(x), b = magnitude(y);
  const V rounded = rounded_quotient(a, b);
  I low = bits(rounded);
  V rest = muladd(round_magic<V>() - rounded, b, a);
  // Whether |rest| is more than half of b, or half of b with an odd quotient. Positive numbers are ordered as their
  // bits are.
  const V size = magnitude(rest);
  const auto over = bits(size + size) + (low & I(E(1))) > bits(b);
  const V limit = round_magic<V>() + number<V>(0x1p21f, 0x1p49);
  const auto found = (size < b) & (rounded < limit);
  low += over ? (rest < V(0) ? I(E(-1)) : I(E(1))) : I(E(0));
  rest -= over ? with_sign(b, rest) : V(0);
  if (__builtin_expect(any_of(!found), false)) {
    const Division<V> d = divide(a, b);
    const V to_next = b - d.rest;
    const auto odd = (d.quotient & I(1)) != I(0);
    const auto up = (d.rest > to_next) | ((d.rest == to_next) & odd);
    const auto valid = is_divisible(x, y);
    const auto unbounded = b == infinity<V>();
    rest = unbounded ? a : up ? d.rest - b : d.rest;
    rest = valid ? rest : quiet_nan<V>();
    low = up ? d.quotient + I(1) : d.quotient;
    low = (valid & !unbounded) ? low : I(0);
  }
  low &= I(127);
  const auto negative = (bits(x) ^ bits(y)) < I(0);
  quotient = negative ? -low : low;
  return xor_sign(rest, x);
}

/// If subnormal numbers count as zeros, remainders of a small y are too small to be compared with y: both numbers are
/// scaled then. A large x is replaced by its remainder of 2^k y first, which has the same low bits of the quotient.
template <class V>
INLINE V remquo_of(V x, V y, __private int_of<V>& quotient) {
  if (!flushes<V>()) return remquo_unscaled(x, y, quotient);
  const V a = magnitude(x), b = magnitude(y);
  const V limit = number<V>(0x1p-60f, 0x1p-500), up = number<V>(0x1p60f, 0x1p500);
  const auto small = b < limit;
  const auto large = small & (a >= up) & (a < infinity<V>());
  V rest = a;
  if (any_of(large)) rest = large ? divide(a, b * up).rest : a;
  const V factor = small ? up : V(1);
  return remquo_unscaled(with_sign(rest * factor, x), y * factor, quotient) * (small ? limit : V(1));
}

template <class V>
INLINE V remainder_of(V x, V y) {
  int_of<V> quotient;
  return remquo_of(x, y, quotient);
}

} // namespace

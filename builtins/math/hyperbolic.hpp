#pragma once

// Hyperbolic functions and their inverses, from exponentials and logarithms.

#include "exp.hpp"
#include "log.hpp"
#include "roots.hpp"

namespace {

/// For a = |x| = n ln 2 + r, 4 sinh a = 2^n (minus cosh r + plus sinh r), where minus = 2 - 2^(1-2n) and plus =
/// 2 + 2^(1-2n). For n = 0, minus is 0, and no bits of sinh r are lost. The polynomials are from Sollya.
/// cosh r - 1 = r² p(r²): 2^-33.2, 2^-58.0 relative to cosh r:
///   fpminimax(cosh(x), [|2,4,...,n|], ..., [-log(2)/2;log(2)/2], relative, floating, 1)
/// sinh r = r + r³ q(r²): 2^-26.2, 2^-61.7:
///   fpminimax(sinh(x), [|3,5,...,n|], ..., [2^-40;log(2)/2], relative, floating, x)
template <class V>
INLINE V sinh_of(V x) {
  using I = int_of<V>;
  using E = element_of<I>;
  const Reduced<V> b = reduce_ln2(at_most(magnitude(x), number<V>(90, 711))); // where the result is infinite
  const V limited = at_most(bits_as<V>(b.shifted), round_magic<V>() + V(60));
  const V small = bits_as<V>(bits(V(2)) - (bits(limited) << I(E(significand_bits<V> + 1))));
  const V minus = V(2) - small, plus = V(2) + small;
  const V z = b.r * b.r;
  V p, q;
  if constexpr (is_double<V>) {
    p = polynomial(z, 0x1.000000000000bp-1, 0x1.5555555550267p-5, 0x1.6c16c1853d54dp-10,
                   0x1.a0199791d7012p-16, 0x1.28af751d7cab3p-22);
    q = polynomial(z, 0x1.5555555555559p-3, 0x1.111111110f656p-7, 0x1.a01a01b002734p-13,
                   0x1.71ddf81399e24p-19, 0x1.af5f22506d8ccp-26);
  } else {
    p = polynomial(z, 0x1p-1f, 0x1.5554e4p-5f, 0x1.6d514ap-10f);
    q = polynomial(z, 0x1.5554bp-3f, 0x1.122794p-7f);
  }
  V rest = minus * (z * p);
  if constexpr (is_double<V>)
    rest = muladd(plus, b.r, muladd(plus * (b.r * z), q, rest)); // one rounding less
  else
    rest = muladd(plus, muladd(b.r * z, q, b.r), rest);
  const V y = (minus + rest) * add_to_exponent(V(0.25f), b.shifted);
  return with_sign(y, x);
}

/// 2 h + 1 / (8 h) for h = e^|x| / 4, which is finite where the result is just infinite.
template <class V>
INLINE V cosh_of(V x) {
  const V a = at_most(magnitude(x), number<V>(90, 711));
  V h, inverse;
  if (has_float_parts<V>()) {
    Reduced<V> b = reduce_sixteenth(a, log2e<V>(), log2e_low<V>());
    b.n -= V(2);
    h = exp2_sixteenth(b);
  } else {
    const Reduced<V> b = reduce_ln2(a);
    h = (V(1) + expm1_reduced(b.r)) * add_to_exponent(V(0.25f), b.shifted);
  }
  if (is_double<V> && has_float_parts<V>()) {
    const V estimate = reciprocal(h), error = muladd(-h, estimate, V(1));
    const V eighth = V(0.125f) * estimate;
    inverse = muladd(eighth, muladd(error, muladd(error, error, error), error), eighth);
  } else {
    inverse = V(0.125f) / h;
  }
  return muladd(V(2), h, inverse);
}

/// t / (t + 2) for t = e^(2a) - 1. The result is 1 from a = 22 on.
template <class V>
INLINE V tanh_of(V x) {
  const V a = at_most(magnitude(x), V(22));
  const V t = expm1_moderate(a + a);
  return with_sign(t / (t + V(2)), x);
}

/// Above this limit, sqrt(x^2 + 1) and sqrt(x^2 - 1) round to x, and x^2 may overflow.
template <class V>
INLINE auto is_large(V x) {
  return x > number<V>(0x1p60f, 0x1p500);
}

/// log(a + sqrt(1 + a²)) for a = |x|, with the sign of x; x itself if it is very small. The logarithm's argument
/// is a sum of two numbers, and the second one includes the rounding error of the square root: so the
/// logarithm has a small relative error even if its argument is close to 1.
template <class V>
INLINE V asinh_of(V x) {
  const V a = magnitude(x);
  const Roots<V> roots = roots_of(muladd(a, a, V(1)));
  const V residual = muladd(a, a, muladd(-roots.root, roots.root, V(1)));
  const V sum = roots.root + a;
  const V low = muladd(residual * V(0.5f), roots.inverse, a - (sum - roots.root));
  const auto large = is_large(a);
  const V y = log_of_pair(large ? a : sum, low, large, true);
  return with_sign(a < number<V>(0x1p-13f, 0x1p-27) ? a : y, x);
}

/// log(x + sqrt(x² - 1)), and NaN for x < 1.
template <class V>
INLINE V acosh_of(V x) {
  const V root = roots_of(muladd(x, x, V(-1))).root;
  const V sum = x + root;
  const auto large = is_large(x);
  const V y = log_of_pair(large ? x : sum, root - (sum - x), large, true);
  return x < V(1) ? quiet_nan<V>() : y;
}

/// log1p(u) / 2 for u = 2a / (1 - a). `low` is the rounding error of the division: the remainder divided by 1 - a, and
/// 1 / (1 - a) is 1 + u/2.
template <class V>
INLINE V atanh_of(V x) {
  const V a = magnitude(x), rest = V(1) - a;
  const V u = (a + a) / rest;
  const V low = muladd(-u, rest, a + a) * muladd(u, V(0.5f), V(1));
  return with_sign(V(0.5f) * log1p_unsigned(u, low), x);
}

} // namespace

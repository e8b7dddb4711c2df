#pragma once

// Hyperbolic functions and their inverses, from exponentials and logarithms.

#include "exp.hpp"
#include "log.hpp"

namespace {

/// Returns sinh a for 0 <= a <= 1. The polynomials are from Sollya: fpminimax(sinh(x), [|3,5,...,n|], ...,
/// [2^-40;1], relative, floating, x). Their relative errors are 2^-31.4 for float and 2^-61.5 for double.
template <class V>
INLINE V sinh_small(V a) {
  const V z = a * a;
  V p;
  if constexpr (is_double<V>) {
    p = polynomial(z, 0x1.5555555555556p-3, 0x1.111111111104p-7, 0x1.a01a01a0318d8p-13, 0x1.71de3a40565e2p-19,
                   0x1.ae646b4d5f194p-26, 0x1.6118df7177367p-33, 0x1.b52ebddfb4fbp-41);
  } else {
    p = polynomial(z, 0x1.555556p-3f, 0x1.1110eap-7f, 0x1.a01c22p-13f, 0x1.76771ep-19f);
  }
  return muladd(a * z, p, a);
}

template <class V>
INLINE V sinh_of(V x) {
  const V a = magnitude(x);
  const V h = half_exp_of_positive(a);
  return with_sign(a < V(1) ? sinh_small(a) : h - V(0.25f) / h, x);
}

template <class V>
INLINE V cosh_of(V x) {
  const V h = half_exp_of_positive(magnitude(x));
  return h + V(0.25f) / h;
}

/// t / (t + 2) for t = e^(2a) - 1. From 22 on it is 1.
template <class V>
INLINE V tanh_of(V x) {
  const V a = at_most(magnitude(x), V(22));
  const V t = expm1_moderate(a + a);
  return with_sign(t / (t + V(2)), x);
}

/// sqrt(w) and its reciprocal, with errors of about an ulp; for w = 0, the reciprocal has no meaning.
template <class V>
struct Roots {
  V root, inverse;
};
template <class V>
INLINE Roots<V> roots_of(V w) {
  if (has_float_parts<V>()) {
    // One step, of order 2 for float and of order 4 for double, from |e| = |1 - w y²| below 2^-12.
    const V y = at_most(rsqrt(w), number<V>(0x1p60f, 0x1p500));
    const V root = w * y;
    const V e = muladd(-root, y, V(1));
    V p;
    if constexpr (is_double<V>)
      p = e * polynomial(e, 0.5, 0.375, 0.3125);
    else
      p = e * V(0.5f);
    return {muladd(root, p, root), muladd(y, p, y)};
  }
  const V root = square_root(w);
  return {root, V(1) / root};
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

/// log1p(u) / 2 for u = 2a / (1 - a). The rounding error of the division is added again; 1 + u/2 is 1 / (1 - a).
template <class V>
INLINE V atanh_of(V x) {
  const V a = magnitude(x), rest = V(1) - a;
  const V u = (a + a) / rest;
  const V low = muladd(-u, rest, a + a) * muladd(u, V(0.5f), V(1));
  return with_sign(V(0.5f) * log1p_unsigned(u, low), x);
}

} // namespace

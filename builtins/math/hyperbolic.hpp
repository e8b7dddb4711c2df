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

/// Returns log1p(a + a² / (1 + sqrt(1 + a²))) for a = |x|, with the sign of x. For a above 2^60 (float) or
/// 2^500 (double), where a² could overflow, returns log a + log 2 with the sign of x.
template <class V>
INLINE V asinh_of(V x) {
  const V a = magnitude(x), z = a * a;
  const auto big = a > number<V>(0x1p60f, 0x1p500);
  const V u = a + z / (V(1) + square_root(V(1) + z));
  const V y = log1p_of(big ? a : u);
  return with_sign(big ? y + ln2<V>() : y, x);
}

/// Returns log1p(t + sqrt(2t + t²)) for t = x - 1, and NaN for x < 1. For x above 2^30 (float) or 2^60
/// (double), returns log x + log 2, because t² could overflow for the largest x.
template <class V>
INLINE V acosh_of(V x) {
  const V t = x - V(1);
  const auto big = x > number<V>(0x1p30f, 0x1p60);
  const V u = t + square_root(muladd(t, t, t + t));
  const V y = log1p_of(big ? t : u);
  return x < V(1) ? quiet_nan<V>() : big ? y + ln2<V>() : y;
}

template <class V>
INLINE V atanh_of(V x) {
  const V a = magnitude(x);
  return with_sign(V(0.5f) * log1p_of((a + a) / (V(1) - a)), x);
}

} // namespace

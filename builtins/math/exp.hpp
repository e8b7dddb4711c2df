#pragma once

// Exponentials. x = n ln 2 + r with |r| <= ln 2 / 2, e^x = 2^n e^r. With float parts, n is a multiple of 1/16 (not in
// expm1, nor in exp2 of float): the fractional power is from a table, and scale() multiplies by 2^floor(n), rounds,
// overflows and keeps NaN. The polynomials are from Sollya's
// fpminimax with coefficients in the format of the element type, relative error over the reduced interval;
// the exponent at each is log2 of that error.

#include "instructions.hpp"

namespace {

// 2^(i/16), rounded, and the relative rounding errors.
// clang-format off
template <class E> TABLE E roots_of_two[] = {
    0x1p0, 0x1.0b5586cf9890fp0, 0x1.172b83c7d517bp0, 0x1.2387a6e756238p0, 0x1.306fe0a31b715p0,
    0x1.3dea64c123422p0, 0x1.4bfdad5362a27p0, 0x1.5ab07dd485429p0, 0x1.6a09e667f3bcdp0, 0x1.7a11473eb0187p0,
    0x1.8ace5422aa0dbp0, 0x1.9c49182a3f09p0, 0x1.ae89f995ad3adp0, 0x1.c199bdd85529cp0, 0x1.d5818dcfba487p0,
    0x1.ea4afa2a490dap0};
template <class E> TABLE E roots_of_two_errors[] = {
    0, 0x1.79aa66p-54, -0x1.01b15ep-55, 0x1.68efdep-54, 0x1.34d754p-55, 0x1.59f48ap-55, 0x1.690cecp-56,
    0x1.063e1ep-54, -0x1.3b3efcp-54, -0x1.b32dccp-56, 0x1.db72fcp-55, 0x1.1affc2p-56, 0x1.c1a77ap-55,
    0x1.36eae4p-56, 0x1.4a385ap-56, -0x1.ff7128p-55};
template <> TABLE float roots_of_two_errors<float>[] = {
    0, 0x1.8d96d4p-25f, -0x1.9c0c22p-27f, 0x1.964904p-25f, 0x1.125002p-25f, 0x1.370be4p-25f, -0x1.0a355p-25f,
    -0x1.00d8acp-27f, 0x1.26055cp-26f, -0x1.05cb44p-25f, 0x1.67a1cap-28f, 0x1.a3b5e4p-28f, -0x1.f9c304p-27f,
    -0x1.6961b4p-28f, -0x1.a5217cp-28f, 0x1.61428ep-28f};
// clang-format on

/// (e^r - 1 - r) / r² for |r| <= 0.35 and z = r². 2^-28.1, 2^-57.9 relative to e^r:
/// fpminimax(exp(x), [|2,...,n|], ..., [-log(2)/2;log(2)/2], relative, floating, 1+x).
template <class V>
INLINE V expm1_factor(V r, V z) {
  if constexpr (is_double<V>) {
    return muladd(r,
                  polynomial_in_halves(r, z, 0x1.55555555554fcp-3, 0x1.5555555550688p-5, 0x1.111111112725fp-7,
                                       0x1.6c16c1848904bp-10, 0x1.a01a012dcb0c1p-13, 0x1.a0199921d175fp-16,
                                       0x1.71df1d14501bap-19, 0x1.28ae3e02f5795p-22, 0x1.ad8d591184cdbp-26),
                  V(0x1.000000000000ap-1));
  } else {
    return polynomial(r, 0x1.fffffap-2f, 0x1.55548ap-3f, 0x1.555a12p-5f, 0x1.123f7cp-7f, 0x1.696e4ep-10f);
  }
}
template <class V>
INLINE V expm1_reduced(V r) {
  const V z = r * r;
  return muladd(z, expm1_factor(r, z), r);
}

/// 2^r for |r| <= 0.5. 2^-28.0, 2^-57.3: fpminimax(2^x, [|1,...,n|], ..., [-0.5;0.5], relative, floating, 1).
template <class V>
INLINE V exp2_reduced(V r) {
  if constexpr (is_double<V>) {
    return polynomial(r, 1.0, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a6p-3, 0x1.c6b08d704a12cp-5,
                      0x1.3b2ab6fb9fd9dp-7, 0x1.5d87fe789e99p-10, 0x1.4309130f6fc36p-13,
                      0x1.ffcbfc667752fp-17, 0x1.62bfc64f78edcp-20, 0x1.b52522db2536dp-24,
                      0x1.e61d57b36be8ap-28, 0x1.e972f12c4fed4p-32);
  } else {
    return polynomial(r, 1.0f, 0x1.62e43p-1f, 0x1.ebfbd8p-3f, 0x1.c6af72p-5f, 0x1.3b309p-7f, 0x1.5f0e12p-10f,
                      0x1.3fb5f2p-13f);
  }
}

/// 10^r for |r| <= log10(2) / 2. 2^-28.2, 2^-57.3: fpminimax(10^x, [|1,...,n|], ..., relative, floating, 1).
template <class V>
INLINE V exp10_reduced(V r) {
  if constexpr (is_double<V>) {
    return polynomial(r, 1.0, 0x1.26bb1bbb55516p1, 0x1.53524c73cea77p1, 0x1.0470591de2b47p1,
                      0x1.2bd7609fd5038p0, 0x1.1429ffd220026p-1, 0x1.a7ed70a1b60d9p-3, 0x1.16e4dee9d481ep-4,
                      0x1.41165e99bb44dp-6, 0x1.4899e55be62d3p-8, 0x1.2f743a516e674p-10,
                      0x1.f75f09f18cc7ep-13);
  } else {
    return polynomial(r, 1.0f, 0x1.26bb1cp1f, 0x1.535248p1f, 0x1.046f94p1f, 0x1.2bdbc2p0f, 0x1.15716ep-1f,
                      0x1.a4c7c2p-3f);
  }
}

/// A number as n units and a rest; `shifted` holds the integer n in its low bits.
template <class V>
struct Reduced {
  V n, r;
  int_of<V> shifted;
};

/// n = round(x / unit), r = x - n unit, for unit = high + low.
template <class V>
INLINE Reduced<V> reduce(V x, V inverse, V high, V low) {
  const V t = muladd(x, inverse, round_magic<V>());
  const V n = t - round_magic<V>();
  return {n, muladd(n, -low, muladd(n, -high, x)), bits(t)};
}
template <class V>
INLINE Reduced<V> reduce_ln2(V x) {
  return reduce(x, log2e<V>(), ln2<V>(), number<V>(-0x1.05c61p-29f, 0x1.abc9e3b39803fp-56));
}
template <class V>
INLINE Reduced<V> reduce_one(V x) {
  const V t = x + round_magic<V>();
  const V n = t - round_magic<V>();
  return {n, x - n, bits(t)};
}

/// y where x <= limit; infinity above the limit, and NaN for NaN.
template <class V>
INLINE V or_overflow(V y, V x, V limit) {
  return x <= limit ? y : x + infinity<V>();
}

/// p 2^n for p about 1 and |n| below twice the bias; rounded once.
template <class V>
INLINE V insert_exponent(V p, const Reduced<V> x) {
  return has_float_parts<V>() ? scale(p, x.n) : scaled(p, x.shifted);
}

/// n + r = x factor, where n is a multiple of 1/16, and 16 n is in the low bits of `shifted`.
template <class V>
INLINE Reduced<V> reduce_sixteenth(V x, V factor) {
  const V magic = number<V>(0x1.8p19f, 0x1.8p48);
  const V t = muladd(x, factor, magic), n = t - magic;
  return {n, muladd(x, factor, -n), bits(t)};
}
/// The same for a factor high + low.
template <class V>
INLINE Reduced<V> reduce_sixteenth(V x, V high, V low) {
  Reduced<V> a = reduce_sixteenth(x, high);
  a.r = muladd(x, low, a.r);
  return a;
}

/// 2^(n + r) for n and r of reduce_sixteenth(), with float parts only. 2^-29.2, 2^-57.0:
/// fpminimax(2^x, [|1,...,n|], ..., [-1/32;1/32], relative, floating, 1). `correct` adds the rounding error of the
/// table's entry. For double, the polynomial's degree is even, so that 1 + q is positive for any r: the result is right
/// also where n is huge, and r is not small.
template <class V, bool correct = is_double<V>>
INLINE V exp2_sixteenth(const Reduced<V> a) {
  const V root = entry<V>(a.shifted, roots_of_two<element_of<V>>);
  V q;
  if constexpr (is_double<V>) {
    q = polynomial(a.r, 0x1.62e42fefa39fdp-1, 0x1.ebfbdff82c553p-3, 0x1.c6b08d6e8cc52p-5,
                   0x1.3b2ab6fe2cdc4p-7, 0x1.5d89bd6687faap-10, 0x1.4308149d55785p-13);
  } else {
    q = polynomial(a.r, 0x1.62e43p-1f, 0x1.ebfff4p-3f, 0x1.c6aceep-5f);
  }
  q = correct ? muladd(a.r, q, entry<V>(a.shifted, roots_of_two_errors<element_of<V>>)) : a.r * q;
  return scale(muladd(root, q, root), a.n);
}

template <class V>
INLINE V exp_of(V x) {
  x = at_least(x, number<V>(-104, -746));
  if (has_float_parts<V>()) {
    if constexpr (!is_double<V>) x = at_most(x, V(89));
    return exp2_sixteenth(reduce_sixteenth(x, log2e<V>(), log2e_low<V>()));
  }
  const Reduced<V> a = reduce_ln2(at_most(x, number<V>(89, 710)));
  return insert_exponent(V(1) + expm1_reduced(a.r), a);
}

template <class V>
INLINE V exp2_of(V x) {
  if (has_float_parts<V>()) {
    if constexpr (is_double<V>) return exp2_sixteenth(reduce_sixteenth(x, V(1)));
    const V n = to_even(x);
    return scale(exp2_reduced(x - n), n);
  }
  const Reduced<V> a = reduce_one(at_most(at_least(x, number<V>(-151, -1076)), number<V>(129, 1025)));
  return insert_exponent(exp2_reduced(a.r), a);
}

template <class V>
INLINE V exp10_of(V x) {
  x = at_least(x, number<V>(-46, -325));
  if (has_float_parts<V>()) {
    if constexpr (!is_double<V>) x = at_most(x, V(39));
    return exp2_sixteenth(reduce_sixteenth(x, number<V>(0x1.a934fp1f, 0x1.a934f0979a371p1),
                                           number<V>(0x1.2f346ep-24f, 0x1.7f2495fb7fa6dp-53)));
  }
  const Reduced<V> a = reduce(at_most(x, number<V>(39, 309)), number<V>(0x1.a934fp1f, 0x1.a934f0979a371p1),
                              number<V>(0x1.344136p-2f, 0x1.34413509f79ffp-2),
                              number<V>(-0x1.ec10cp-27f, -0x1.9dc1da994fd21p-59));
  return insert_exponent(exp10_reduced(a.r), a);
}

/// e^x - 1 for 0 <= x < 50, or NaN.
template <class V>
INLINE V expm1_moderate(V x) {
  const Reduced<V> a = reduce_ln2(x);
  const V scale = add_to_exponent(V(1), a.shifted);
  return muladd(scale, expm1_reduced(a.r), scale - V(1));
}

/// 2^n (e^r - 1) + (2^n - 1), at half the size so that n = bias + 1 does not overflow.
template <class V>
INLINE V expm1_of(V x) {
  const Reduced<V> a = reduce_ln2(at_most(at_least(x, number<V>(-20, -40)), number<V>(89, 710)));
  const V scale = add_to_exponent(V(0.5f), a.shifted);
  const V y = muladd(scale, expm1_reduced(a.r), scale - V(0.5f));
  return magnitude(x) < number<V>(0x1p-26f, 0x1p-55) ? x : y + y;
}

} // namespace

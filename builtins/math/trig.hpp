#pragma once

// Circular functions. Arguments up to a limit are reduced by Cody and Waite's method with fused multiply-add:
// n times the first part of the period is subtracted exactly. If any lane has an argument beyond the limit, Payne and
// Hanek's reduction follows, in double and with tables of parts of 2/pi. The polynomials are from Sollya's fpminimax,
// relative error; the exponent at each is log2 of that error.

#include "instructions.hpp"

namespace {

// ---- Kernels

/// sin r, |r| <= pi/2. 2^-27.1, 2^-61.6: fpminimax(sin(x), [|3,5,...,n|], ..., [2^-40;pi/2], relative,
/// floating, x).
template <class V>
INLINE V sine_wide(V r) {
  const V z = r * r;
  if constexpr (is_double<V>) {
    const V p = polynomial(z, -0x1.5555555555555p-3, 0x1.11111111110c9p-7, -0x1.a01a01a014eb7p-13,
                           0x1.71de3a52aac68p-19, -0x1.ae6454d968e2fp-26, 0x1.6123ce53b3e2ep-33,
                           -0x1.ae43dd545dacp-41, 0x1.883c3146a7f29p-49);
    return muladd(r * z, p, r);
  } else {
    const V p = polynomial(z, -0x1.55554cp-3f, 0x1.110ed6p-7f, -0x1.9f6facp-13f, 0x1.5db12cp-19f);
    return muladd(r * z, p, r);
  }
}

/// sin r, |r| <= pi/4. 2^-27.8, 2^-57.9.
template <class V>
INLINE V sine_narrow(V r, V z) {
  if constexpr (is_double<V>) {
    const V p = polynomial(z, -0x1.5555555555548p-3, 0x1.111111110f75ep-7, -0x1.a01a019bf2523p-13,
                           0x1.71de355f3628cp-19, -0x1.ae5e549c421c4p-26, 0x1.5d8e4234a0139p-33);
    return muladd(r * z, p, r);
  } else {
    return muladd(r * z, polynomial(z, -0x1.555544p-3f, 0x1.1106d8p-7f, -0x1.99257ep-13f), r);
  }
}

/// cos r, |r| <= pi/4. 2^-32.9, 2^-63.9: fpminimax(cos(x), [|4,6,...,n|], ..., relative, floating, 1-x^2/2).
template <class V>
INLINE V cosine_narrow(V z) {
  V p;
  if constexpr (is_double<V>) {
    p = polynomial(z, 0x1.555555555554bp-5, -0x1.6c16c16c15017p-10, 0x1.a01a019c8f66bp-16,
                   -0x1.27e4f7f1c1056p-22, 0x1.1ee9dbec704a5p-29, -0x1.8fa6917156da9p-37);
  } else {
    p = polynomial(z, 0x1.55554ap-5f, -0x1.6c0c2p-10f, 0x1.99e42cp-16f);
  }
  return muladd(z, muladd(z, p, V(-0.5f)), V(1));
}

/// tan r = n / d, |r| <= pi/4. 2^-31.7, 2^-60.3: d interpolates, fpminimax(tan(x)*d, [|3,5,...,n|], ..., relative,
/// floating, x).
template <class V>
struct Tangent {
  V n, d;
};
template <class V>
INLINE Tangent<V> tangent(V r) {
  const V z = r * r;
  if constexpr (is_double<V>)
    return {
        muladd(r * z, polynomial(z, -0x1.1127ce4471425p-3, 0x1.c0cc7e6a4fb92p-9, -0x1.2b7013dc05b27p-16), r),
        polynomial(z, 1.0, -0x1.dde93c778df68p-2, 0x1.a46cf46d0be77p-6, -0x1.46d15249624d4p-12,
                   0x1.0b1c23ba1dbfp-21)};
  else
    return {muladd(r * z, polynomial(z, -0x1.c7eb52p-4f, 0x1.18e25p-10f), r),
            polynomial(z, 1.0f, -0x1.c7502ap-2f, 0x1.055bd2p-6f)};
}

/// r (c + g) for a small g. If subnormal numbers count as zeros, r g may be subnormal, so r c is rounded instead.
template <class V>
INLINE V times_sum(V r, V c, V g) {
  return flushes<V>() ? muladd(r, g, r * c) : muladd(r, c, r * g);
}

/// sin(pi r) = 5/2 r + r g, |r| <= 1/2: |g| is small everywhere, and so are its errors. 2^-26.6, 2^-57.9:
/// fpminimax(sin(pi*x), [|1,3,...,n|], ..., [2^-40;1/2], ..., 5/2*x).
template <class V>
INLINE V sine_of_pi_times(V r) {
  const V z = r * r;
  V g;
  if constexpr (is_double<V>) {
    g = polynomial(z, 0x1.487ed5110b461p-1, -0x1.4abbce625be5p2, 0x1.466bc6775a983p1, -0x1.32d2cce621bdep-1,
                   0x1.50783482d46eep-4, -0x1.e3074cd09af56p-8, 0x1.e8f317ab79051p-12, -0x1.6f6f7e68906afp-16,
                   0x1.9bf3775b137f4p-21);
  } else {
    g = polynomial(z, 0x1.487ed4p-1f, -0x1.4abbbep2f, 0x1.46684ep1f, -0x1.3244c2p-1f, 0x1.3d3eb8p-4f);
  }
  return times_sum(r, V(2.5f), g);
}

// ---- Reduction

/// 2/pi 2^256 as a sum of four parts. Entry i is for doubles with a biased exponent of 32 i + 1024 to 32 i + 1055: digits from 4 units in the last place up are
/// left out, because their products with such a number are multiples of 4. The parts have 48, 53, 53 and 53 digits.
#define DIGITS(name, entries) __attribute__((aligned(64))) __constant const double name[entries]
DIGITS(first_digits, 32) = {0x0p0,
                            0x1.45f306cp255,
                            0x1.9836e4e44152p244,
                            0x1.054a7f09d5f8p210,
                            0x1.d5f47d4d377p178,
                            0x1.4ddc0db6295ap148,
                            0x1.4acc9e21c82p113,
                            0x1.c820ff28b1dp81,
                            0x1.163abdebbc56p52,
                            0x1.bc561b7246e4p20,
                            0x1.1b8e909374b8p-14,
                            0x1.ba5c00c925dcp-45,
                            0x1.25dd413a3244p-77,
                            0x1.1921cfe1deb2p-108,
                            0x1.deb1cb129a74p-140,
                            0x1.34e7dd1046cp-173,
                            0x1.1afa975da24p-207,
                            0x1.b4484e99c702p-236,
                            0x1.c7026b45f7e4p-268,
                            0x1.f7e413991d64p-300,
                            0x1.1d63983533ap-332,
                            0x1.339f49c845f8p-364,
                            0x1.17e2ef7e4a1p-398,
                            0x1.9283b1ff898p-428,
                            0x1.897ffde0598p-460,
                            0x1.6603fbcbc46p-494,
                            0x1.e2316b414da4p-525,
                            0x1.4da3eda6cfd8p-557,
                            0x1.67ecf27cb09cp-588,
                            0x1.6136e9e8c7ecp-621,
                            0x1.8fd9a797fa88p-654,
                            0x1.fea2d7527bacp-684};
DIGITS(second_digits, 32) = {
    0x1.45f306dc9c88p255,    0x1.c9c882a53f84ep227,  0x1.3f84eafa3ea6ap195,   -0x1.c1596447e493ap163,
    0x1.b6c52b327888p127,    -0x1.b0ef1bef806bcp98,  0x1.fe5163abdebcp64,     0x1.7bd778ac36e48p35,
    0x1.b7246e3a424ep0,      -0x1.6f6c8b47fe6dcp-30, 0x1.924bba82748p-70,     0x1.413a32439fc3cp-93,
    -0x1.80f10a71a76bp-127,  -0x1.a76b2c608bbfp-159, -0x1.177dca0ad145p-192,  -0x1.5a28976f62cc8p-221,
    0x1.3a671c09ad17cp-254,  0x1.ad17df904e648p-286, 0x1.3991d6398353p-320,   -0x1.9f2b3182d8dfp-350,
    -0x1.6c6f740e8840ep-381, 0x1.77bf250763ff2p-413, -0x1.3801da00087e8p-446, -0x1.0fd33f808688p-483,
    0x1.fde5e2316b414p-509,  0x1.6b414da3eda6cp-541, -0x1.25930261b06ap-577,  0x1.e4f96136e9e8cp-605,
    -0x1.161738132c34p-637,  0x1.a797fa8b5d4ap-670,  0x1.aea4f758fd7ccp-701,  0x1.faf97c5ecf41cp-734};
DIGITS(third_digits, 32) = {
    0x1.529fc2757d1f8p204,   0x1.5f47d4d377036p174,   -0x1.11f924eb5336p141,   -0x1.a99b0ef1bef8p110,
    -0x1.bef806ba71508p78,   0x1.8eaf7aef1586ep46,    -0x1.d4f246dc8e2ep13,    0x1.b8e909374b802p-18,
    -0x1.68ffcdb688afcp-51,  0x1.77504e8c90e8p-83,    -0x1.b78c0788538d4p-114, -0x1.4e34ed658c118p-148,
    -0x1.63045df7282b4p-178, 0x1.afa975da24274p-211,  0x1.1213a671c09aep-242,  0x1.c09ad17df904ep-274,
    0x1.f904e64758e6p-306,   -0x1.4e33e566305bp-339,  0x1.cfa4e422fc5ep-371,   0x1.7e2ef7e4a0ec8p-402,
    0x1.41d8ffc4bfffp-435,   -0x1.a00087e99fc04p-466, -0x1.9fc04343b9d2ap-498, 0x1.18b5a0a6d1f7p-532,
    0x1.b47db4d9fb3cap-562,  0x1.fb3c9f2c26dd4p-594,  0x1.36e9e8c7ecd4p-629,   0x1.fb34f2ff516bcp-659,
    -0x1.5d28ad8453818p-692, -0x1.14e050683a13p-722,  -0x1.d0985f18c10fp-757,  0x1.cfbc529497534p-787};
DIGITS(fourth_digits, 32) = {
    -0x1.65911f924eb53p153,  0x1.b14acc9e21c82p121,   -0x1.de37df00d74e3p89,   -0x1.ae9c5421443aap56,
    -0x1.443a9e48db91cp24,   -0x1.b7238b7b645a4p-9,   0x1.26e9700324977p-39,   -0x1.b6d115f62e6dep-72,
    0x1.d1921cfe1deb2p-104,  -0x1.e214e34ed658cp-136, 0x1.29a73ee88235fp-168,  0x1.046bea5d76891p-201,
    -0x1.44bb7b16638fep-232, 0x1.9c7026b45f7e4p-264,  -0x1.d040df633714ep-295, 0x1.91d639835339fp-328,
    0x1.a99cfa4e422fcp-359,  -0x1.bdd03a21036bep-391, -0x1.036be27003b4p-423,  -0x1.da00087e99fcp-462,
    -0x1.fa67f010d0ee7p-488, -0x1.a1dce94beb25cp-521, 0x1.05368fb69b3f6p-551,  -0x1.64c0986c1a7b2p-583,
    -0x1.a7b24585ce04dp-619, -0x1.738132c3402bap-649, -0x1.a015d28ad8454p-680, -0x1.6c229c0a0d074p-711,
    0x1.f2f8bd9e839dp-743,   -0x1.7c63043ad6b69p-775, 0x1.29497535fdafep-807,  0x1.fdafd88fc6ae8p-839};
/// The same for floats, which have the exponents of four entries.
DIGITS(first_digits_for_float, 8) = {0x0p0, 0x1.45f306cp255, 0x1.9836e4e44152p244, 0x1.054a7f09d5f8p210};
DIGITS(second_digits_for_float, 8) = {0x1.45f306dc9c88p255, 0x1.c9c882a53f84ep227, 0x1.3f84eafa3ea6ap195,
                                      -0x1.c1596447e493ap163};
DIGITS(third_digits_for_float, 8) = {0x1.529fc2757d1f8p204, 0x1.5f47d4d377036p174, -0x1.11f924eb5336p141,
                                     -0x1.a99b0ef1bef8p110};
#undef DIGITS

/// An angle r + n periods.
template <class V>
struct Angle {
  V r;
  int_of<V> n; // modulo 2^31 at least
};

/// The same as reduce(), below, for a huge x, at least 2^17. The first product is exact modulo 4, and all sums are
/// until n has been subtracted.
template <bool is_single, class D>
INLINE Angle<D> reduce_huge(D x, double quarters, double shift) {
  const int_of<D> column = bits(x) >> int_of<D>(57);
  const D u = x * D(0x1p-256 / quarters), period = D(0x1.921fb54442d18p0 * quarters);
  const D first = is_single ? entry<D>(column, first_digits_for_float) : entry<D>(column, first_digits),
          second = is_single ? entry<D>(column, second_digits_for_float) : entry<D>(column, second_digits);
  const D fours = muladd(u, first, D(0x1.8p54)) - D(0x1.8p54);
  const D rest = muladd(u, first, -fours);
  const D t = (muladd(u, second, rest) + D(shift)) + round_magic<D>();
  const D r = muladd(u, second, rest - (t - round_magic<D>() - D(shift)));
  const D third = is_single ? entry<D>(column, third_digits_for_float) : entry<D>(column, third_digits);
  if (is_single) return {muladd(u, third, r) * period, bits(t)};
  // r may cancel with the third product. fast_sum() is exact for any sizes: r is a multiple of the product's ulp.
  const Pair<D> product = exact_product(u, third), sum = fast_sum(r, product.high);
  const D low = muladd(u, entry<D>(column, fourth_digits), sum.low + product.low);
  const D scaled_low = muladd(low, period, sum.high * D(0x1.1a62633145c07p-54 * quarters));
  return {muladd(sum.high, period, scaled_low), bits(t)};
}

/// x = (n - shift) period + r with |r| <= period/2, for a period of `quarters` pi/2. x >= 0. r is NaN for infinity.
template <class V>
INLINE Angle<V> reduce(V x, double quarters, double shift) {
  using E = element_of<V>;
  const V to_periods = V(E(0x1.45f306dc9c883p-1 / quarters)), half_period = V(E(quarters / 2));
  const V t = shift == 0 ? muladd(x, to_periods, round_magic<V>())
                         : muladd(x, to_periods, V(E(shift))) + round_magic<V>();
  const V n = t - round_magic<V>() - V(E(shift));
  V r = muladd(n, half_period * number<V>(-0x1.921fb6p1f, -0x1.921fb54442d18p1), x);
  r = muladd(n, half_period * number<V>(0x1.777a5cp-24f, -0x1.1a62633145c07p-53), r);
  r = muladd(n, half_period * number<V>(0x1.ee59dap-49f, 0x1.f1976b7ed8fbcp-109), r);
  Angle<V> result = {r, bits(t)};
  // Up to the limit, n is exact and the rounding of the quotient harmless.
  const auto huge = x > number<V>(0x1p17f, 0x1p33);
  if (__builtin_expect(any_of(huge), false)) {
    const auto h = reduce_huge<!is_double<V>>(cast<double_like<V>>(x), quarters, shift);
    result.r = huge ? cast<V>(h.r) : result.r;
    result.n = huge ? cast<int_of<V>>(h.n) : result.n;
  }
  return result;
}

// ---- Functions

/// The lowest bit of n at the place of the sign.
template <class V>
INLINE V odd_sign(int_of<V> n) {
  return bits_as<V>(n << int_of<V>(bits_of<V> - 1));
}

template <class V>
INLINE V sin_of(V x) {
  const Angle<V> a = reduce(magnitude(x), 2, 0);
  return xor_sign(sine_wide(a.r), bits_as<V>(bits(odd_sign<V>(a.n)) ^ bits(x)));
}

/// cos(r + (n - 1/2) pi) = (-1)^n sin r.
template <class V>
INLINE V cos_of(V x) {
  const Angle<V> a = reduce(magnitude(x), 2, 0.5);
  return xor_sign(sine_wide(a.r), odd_sign<V>(a.n));
}

/// Sine and cosine of r for an angle r + n pi/2.
template <class V>
struct Quadrant {
  V sine, cosine;
  int_of<V> n;
};
template <class V>
INLINE Quadrant<V> in_quadrant(Angle<V> a) {
  const V z = a.r * a.r;
  return {sine_narrow(a.r, z), cosine_narrow(z), a.n};
}

template <class V>
INLINE V sincos_of(V x, __private V& cosine) {
  using I = int_of<V>;
  const Quadrant<V> q = in_quadrant(reduce(magnitude(x), 1, 0));
  const auto odd = (q.n & I(1)) != I(0);
  const I to_sign = I(element_of<I>(bits_of<V> - 2));
  cosine = xor_sign(odd ? q.sine : q.cosine, bits_as<V>((q.n + I(1)) << to_sign));
  return xor_sign(odd ? q.cosine : q.sine, bits_as<V>((q.n << to_sign) ^ bits(x)));
}

/// tan(r + pi/2) = -1 / tan r.
template <class V>
INLINE V tan_of(V x) {
  using I = int_of<V>;
  const Angle<V> a = reduce(magnitude(x), 1, 0);
  const Tangent<V> t = tangent(a.r);
  const auto odd = (a.n & I(1)) != I(0);
  return xor_sign((odd ? -t.d : t.n) / (odd ? t.n : t.d), x);
}

/// sin(pi y) = sin(pi (1 - y)) for y = |x| modulo 2 in [-1/2, 3/2]. Zeros have the sign of x.
template <class V>
INLINE V sinpi_of(V x) {
  const V a = magnitude(x), y = muladd(to_even(muladd(a, V(0.5f), V(-0.25f))), V(-2), a);
  return xor_sign(sine_of_pi_times(at_most(V(1) - y, y)), x);
}

/// x - 2 n.
template <class V>
INLINE V modulo_2(V x) {
  return muladd(to_even(x * V(0.5f)), V(-2), x);
}

/// cos(pi x) = sin(pi (1/2 - |r|)) with r = x modulo 2. Zeros are positive.
template <class V>
INLINE V cospi_of(V x) {
  return sine_of_pi_times(V(0.5f) - magnitude(modulo_2(x)));
}

/// tan(pi r) = n / d, |r| <= 1/4. 2^-30.5, 2^-59.7: d is that of tangent(), n = 13/4 r + r g with a small g. n is 0,
/// not -0, for r = 0 and -0, because 13/4 is larger than pi.
template <class V>
INLINE Tangent<V> tangent_of_pi_times(V r) {
  const V z = r * r;
  V g, d;
  if constexpr (is_double<V>) {
    g = polynomial(z, -0x1.bc095777a5cf7p-4, -0x1.08ac472328f31p2, 0x1.0c3ea25eb2ebep0,
                   -0x1.b998beff1b88fp-5);
    d = polynomial(z, 1.0, -0x1.26ccb14e6a792p2, 0x1.3ff28d4f52bfdp1, -0x1.32d5bdf9b9e18p-2,
                   0x1.35628618af396p-8);
  } else {
    g = polynomial(z, -0x1.bc0958p-4f, -0x1.b9c2ep1f, 0x1.4fc37ep-2f);
    d = polynomial(z, 1.0f, -0x1.18dc2cp2f, 0x1.8dcad8p0f);
  }
  return {times_sum(r, V(3.25f), g), d};
}

/// tan(pi (r + m/2)) is tan(pi r) for even m, -1 / tan(pi r) for odd m. For r = 0 and m modulo 4 = 0, 1, 2 or 3, it is
/// 0, infinity, -0 or -infinity: the sign is bit 1 of m, and its product with that of -1 is the sign of r.
template <class V>
INLINE V tanpi_of(V x) {
  using I = int_of<V>;
  const V y = modulo_2(magnitude(x)), t = muladd(y, V(2), round_magic<V>());
  const I m = bits(t), bit_1 = m << I(bits_of<V> - 2);
  const V r = muladd(t - round_magic<V>(), V(-0.5f), y), bit_0 = odd_sign<V>(m);
  const Tangent<V> f = tangent_of_pi_times(xor_sign(r, bits_as<V>(bits(bit_0) ^ bit_1)));
  // Exchanges n and d for odd m; faster than two selections on AVX2.
  const I swap = (bits(f.n) ^ bits(f.d)) & bits(bit_0) >> I(bits_of<V> - 1);
  return xor_sign(bits_as<V>(bits(f.n) ^ swap) / bits_as<V>(bits(f.d) ^ swap), bits_as<V>(bit_1 ^ bits(x)));
}

} // namespace

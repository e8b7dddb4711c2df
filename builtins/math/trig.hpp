#pragma once

// Circular functions. Arguments up to a limit are reduced by Cody and Waite's method with fused multiply-add:
// n times the first part of the period is subtracted exactly. Beyond the limit Payne and Hanek's reduction is
// used, which is not inlined. The polynomials are from Sollya's fpminimax, relative error; the exponent at
// each is log2 of that error.

#include "core.hpp"

/// A function of x, |x| >= 1, by the driver's own code (huge_angles.clcpp): code for it in each kernel would
/// take time to compile, and such arguments are rare. A vectorised kernel computes it for all lanes by one
/// call of __hostcl_of_huge_angles.
enum OfAngle { of_angle_sine, of_angle_cosine, of_angle_tangent };
extern "C" __attribute__((const, nothrow)) double __hostcl_of_huge_angle(double x, int function);

namespace {

// ---- Kernels

/// sin r, |r| <= pi/2. 2^-27.1, 2^-61.5: fpminimax(sin(x), [|3,5,...,n|], ..., [2^-40;pi/2], relative,
/// floating, x).
template <class V>
INLINE V sine_wide(V r) {
  const V z = r * r;
  if constexpr (is_double<V>) {
    const V p = polynomial(z, -0x1.5555555555555p-3, 0x1.11111111110ddp-7, -0x1.a01a01a017078p-13,
                           0x1.71de3a5408e07p-19, -0x1.ae6455c1547abp-26, 0x1.61242496a810cp-33,
                           -0x1.ae6857521e433p-41, 0x1.906d862bc5ec5p-49, -0x1.84b7b216211efp-58);
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

/// sin(pi r), 0 <= r <= 1/2. 2^-31.7, 2^-61.8: fpminimax(sin(pi*x), [|3,5,...,n|], ..., [2^-40;1/2], ...,
/// pi*x).
template <class V>
INLINE V sine_of_pi_times(V r) {
  const V z = r * r;
  V p;
  if constexpr (is_double<V>) {
    p = polynomial(z, -0x1.4abbce625be53p2, 0x1.466bc6775ab13p1, -0x1.32d2cce62d939p-1, 0x1.50783488ec9ecp-4,
                   -0x1.e30750850cbbep-8, 0x1.e8f475ba2a2d8p-12, -0x1.6fbc96ac9f3efp-16, 0x1.ae968cbd9a03p-21,
                   -0x1.e724f3a119f92p-26);
  } else {
    p = polynomial(z, -0x1.4abbcep2f, 0x1.466bacp1f, -0x1.32cdd2p-1f, 0x1.4fa016p-4f, -0x1.c1956ap-8f);
  }
  const V low = r * muladd(z, p, number<V>(-0x1.777a5cp-24f, 0x1.1a62633145c07p-53));
  return muladd(r, number<V>(0x1.921fb6p1f, 0x1.921fb54442d18p1), low);
}

// ---- Huge arguments

template <class V>
INLINE V of_huge_angle(V x, OfAngle function) {
  return map<V>([=](element_of<V> e) -> element_of<V> { return __hostcl_of_huge_angle(e, function); }, x);
}

/// The largest argument that is not huge: n is exact, and the rounding of the quotient harmless, up to here.
template <class V>
INLINE V huge_angle() {
  return number<V>(0x1p17f, 0x1p33);
}

/// x - n pi for moderate n, or integers and a half.
template <class V>
INLINE V minus_multiple_of_pi(V x, V n) {
  V r = muladd(n, number<V>(-0x1.921fb6p1f, -0x1.921fb54442d18p1), x);
  r = muladd(n, number<V>(0x1.777a5cp-24f, -0x1.1a62633145c07p-53), r);
  return muladd(n, number<V>(0x1.ee59dap-49f, 0x1.f1976b7ed8fbcp-109), r);
}

// ---- Functions

template <class V>
INLINE V sin_of(V x) {
  const V a = magnitude(x);
  const V t = muladd(a, number<V>(0x1.45f306p-2f, 0x1.45f306dc9c883p-2), round_magic<V>());
  const V r = minus_multiple_of_pi(a, t - round_magic<V>());
  // The lowest bit of n moves to the place of the sign.
  const V odd = bits_as<V>(bits(t) << int_of<V>(bits_of<V> - 1));
  V y = xor_sign(sine_wide(r), bits_as<V>(bits(odd) ^ bits(x)));
  if (any_of(a > huge_angle<V>())) y = a > huge_angle<V>() ? of_huge_angle(x, of_angle_sine) : y;
  return y;
}

/// cos(r + (n - 1/2) pi) = (-1)^n sin r.
template <class V>
INLINE V cos_of(V x) {
  const V a = magnitude(x);
  const V t = muladd(a, number<V>(0x1.45f306p-2f, 0x1.45f306dc9c883p-2), V(0.5f)) + round_magic<V>();
  const V r = minus_multiple_of_pi(a, t - round_magic<V>() - V(0.5f));
  const V odd = bits_as<V>(bits(t) << int_of<V>(bits_of<V> - 1));
  V y = xor_sign(sine_wide(r), odd);
  if (any_of(a > huge_angle<V>())) y = a > huge_angle<V>() ? of_huge_angle(x, of_angle_cosine) : y;
  return y;
}

/// Sine and cosine of r, and n: |x| = r + n pi/2.
template <class V>
struct Quadrant {
  V sine, cosine;
  int_of<V> n;
};
template <class V>
INLINE Quadrant<V> reduce_to_quadrant(V a) {
  const V t = muladd(a, number<V>(0x1.45f306p-1f, 0x1.45f306dc9c883p-1), round_magic<V>());
  const V r = minus_multiple_of_pi(a, (t - round_magic<V>()) * V(0.5f));
  const V z = r * r;
  return {sine_narrow(r, z), cosine_narrow(z), bits(t)};
}

template <class V>
INLINE V sincos_of(V x, __private V& cosine) {
  using I = int_of<V>;
  using E = element_of<I>;
  const V a = magnitude(x);
  const Quadrant<V> q = reduce_to_quadrant(a);
  const auto odd = (q.n & I(1)) != I(0);
  const I to_sign = I(E(bits_of<V> - 2));
  const I sine_sign = ((q.n & I(2)) << to_sign) ^ bits(x);
  const I cosine_sign = ((q.n + I(1)) & I(2)) << to_sign;
  V sine = xor_sign(odd ? q.cosine : q.sine, bits_as<V>(sine_sign));
  cosine = xor_sign(odd ? q.sine : q.cosine, bits_as<V>(cosine_sign));
  if (any_of(a > huge_angle<V>())) {
    sine = a > huge_angle<V>() ? of_huge_angle(x, of_angle_sine) : sine;
    cosine = a > huge_angle<V>() ? of_huge_angle(x, of_angle_cosine) : cosine;
  }
  return sine;
}

template <class V>
INLINE V tan_of(V x) {
  using I = int_of<V>;
  const V a = magnitude(x);
  const Quadrant<V> q = reduce_to_quadrant(a);
  const auto odd = (q.n & I(1)) != I(0);
  const V quotient = (odd ? -q.cosine : q.sine) / (odd ? q.sine : q.cosine);
  V y = xor_sign(quotient, x);
  if (any_of(a > huge_angle<V>())) y = a > huge_angle<V>() ? of_huge_angle(x, of_angle_tangent) : y;
  return y;
}

/// True if a non-negative whole number, of any size, is odd.
template <class V>
INLINE auto is_odd_number(V n) {
  const V half_n = n * V(0.5f);
  return to_zero(half_n) != half_n;
}

/// Zeros have the sign of x.
template <class V>
INLINE V sinpi_of(V x) {
  const V a = magnitude(x), n = to_even(a), r = a - n;
  const V size = sine_of_pi_times(magnitude(r));
  const V y = is_odd_number(n) ? -xor_sign(size, r) : xor_sign(size, r);
  return xor_sign(y + V(0), x);
}

/// Zeros are positive.
template <class V>
INLINE V cospi_of(V x) {
  const V a = magnitude(x), n = to_even(a), r = magnitude(a - n);
  const V size = sine_of_pi_times(V(0.5f) - r);
  return (is_odd_number(n) ? -size : size) + V(0);
}

/// tanpi n is a zero with the sign of x for even n, the opposite for odd n; tanpi(n + 1/2) is infinite, with
/// the sign of x for even n and the opposite for odd n.
template <class V>
INLINE V tanpi_of(V x) {
  const V a = magnitude(x), n = to_even(a), r = a - n;
  const V size = magnitude(r);
  const auto steep = size > V(0.25f);
  const V w = steep ? V(0.5f) - size : size;
  const V u = muladd(w, number<V>(0x1.921fb6p1f, 0x1.921fb54442d18p1),
                     w * number<V>(-0x1.777a5cp-24f, 0x1.1a62633145c07p-53));
  const V z = u * u;
  const V sine = sine_narrow(u, z), cosine = cosine_narrow(z);
  const V quotient = (steep ? cosine : sine) / (steep ? sine : cosine);
  const V signed_quotient = xor_sign(xor_sign(quotient, x), r);
  return (is_odd_number(n) & (r == V(0))) ? -signed_quotient : signed_quotient;
}

} // namespace

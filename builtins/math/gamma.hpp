#pragma once

// The gamma function and its logarithm, by Stirling's series for z >= 8. Smaller arguments are first shifted up by 8,
// and negative arguments are reflected. All types are computed in double.

#include "pow.hpp"
#include "trig.hpp"

namespace {

/// z = |high| + low >= 8, and product = Gamma(z) / Gamma(argument before the shift).
template <class D>
struct Shifted {
  Pair<D> z;
  D product;
};
template <class D>
INLINE Shifted<D> shift_up(D x) {
  const auto small = x < D(8);
  const Pair<D> z = fast_sum(D(8), x);
  // t = x (x+7); (x+1) (x+6) and the other pairs differ from it by constants.
  const D x7 = D(7) * x;
  const Pair<D> square = exact_product(x, x), t = exact_sum(x7, square.high);
  const D t_low = t.low + (square.low + muladd(D(7), x, -x7));
  const D p = (t.high * (t.high + D(6))) * ((t.high + D(10)) * (t.high + D(12)));
  const D product = muladd(polynomial(t.high, 720.0, 504.0, 84.0, 4.0), t_low, p);
  return {{small ? z.high : x, small ? z.low : D(0)}, small ? product : D(1)};
}

/// log Gamma(z) - ((z - 1/2) log z - z + log sqrt(2 pi)) for z >= 8; the terms are B(2k) / (2k (2k-1)
/// z^(2k-1)). The first term that is left out is below 2^-57.
template <class D>
INLINE D stirling(D z) {
  const D inverse = D(1) / z;
  const D p =
      polynomial(inverse * inverse, 0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11,
                 -0x1.3813813813814p-11, 0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10, 0x1.a41a41a41a41ap-8,
                 -0x1.e4286cb0f5398p-6, 0x1.6fe96381e0680p-3, -0x1.6476701181f3ap+0);
  return p * inverse;
}

/// log Gamma(z) as high + low, good to about 2^-53 absolutely.
template <class D>
INLINE Pair<D> log_gamma(Pair<D> z) {
  const Pair<D> l = log_pair(z.high);
  const D factor = z.high - D(0.5f);
  // z.low contributes by the derivative of log Gamma, which is about log z.
  Pair<D> power = exact_product(factor, l.high);
  power.low += muladd(factor, l.low, z.low * l.high);
  const Pair<D> difference = fast_sum(power.high, -z.high);
  const Pair<D> sum = fast_sum(difference.high, D(0x1.d67f1c864beb5p-1));
  const D rest = stirling(z.high) + D(-0x1.65b5a1b7ff5dfp-55);
  return fast_sum(sum.high, sum.low + (difference.low + power.low + rest));
}

/// Gamma(x) = -pi / (x sin(pi x) Gamma(-x)) for x < 0.
template <class D>
INLINE D tgamma_of_double(D x) {
  const auto reflect = x < D(0);
  const Shifted<D> a = shift_up(at_most(reflect ? -x : x, D(200)));
  const Pair<D> e = log_gamma(a.z);
  // A tiny result is put together from normal numbers, and rounded once.
  const auto tiny = reflect & (e.high > D(624));
  const D n = tiny ? D(300) : D(0);
  const Pair<D> sum = fast_sum(reflect ? -e.high : e.high, n * ln2_high<D>());
  const D power = exp_of_pair(sum.high, muladd(n, ln2_low<D>(), sum.low + (reflect ? -e.low : e.low)));
  const D reflected = D(-0x1.921fb54442d18p1) * power * (a.product / x) / sinpi_of(x);
  const D y = reflect ? reflected * (tiny ? D(0x1p-300) : D(1)) : power / a.product;
  const auto pole = reflect & (to_zero(x) == x);
  const D finite = pole ? quiet_nan<D>() : x == D(0) ? with_sign(infinity<D>(), x) : y;
  return x < infinity<D>() ? finite : x;
}

/// log |Gamma(x)| = log(pi / |x sin(pi x)|) - log Gamma(-x) for x < 0. Exact at the zeros 1 and 2; near
/// all zeros the absolute error is about 2^-49. The specification requires no accuracy. A tiny x < 0 is not reflected:
/// the result is -log |x|, and sin(pi x) would lose digits of a subnormal x.
template <class D>
INLINE D lgamma_of_double(D x) {
  const D size = magnitude(x);
  const Shifted<D> a = shift_up(size);
  const D z = a.z.high;
  const D log_z = log_of(z);
  const D large = muladd(z, log_z - D(1), D(0x1.d67f1c864beb5p-1) - D(0.5f) * log_z) + stirling(z);
  const D y = large - (size < D(8) ? log_of(a.product) : D(0));
  const D reflected = D(0x1.250d048e7a1bdp0) - log_of(size * magnitude(sinpi_of(x))) - y;
  const auto pole = (x < D(0)) & (to_zero(x) == x);
  const auto root = (x == D(1)) | (x == D(2));
  const D result = pole ? infinity<D>() : root ? D(0) : x < D(-0x1p-60) ? reflected : y;
  return size < infinity<D>() ? result : size;
}

/// The sign of Gamma(x).
template <class V>
INLINE int_like<V> gamma_sign(V x) {
  using N = int_like<V>;
  const V below = to_floor(x), half_way = below * V(0.5f);
  const auto minus = is_negative(x);
  const auto odd_or_zero = (to_floor(half_way) != half_way) | (x == V(0));
  const auto negative = minus & odd_or_zero;
  return cast<N>(negative ? V(-1) : V(1));
}

template <class V>
INLINE V tgamma_of(V x) {
  return cast<V>(tgamma_of_double(cast<double_like<V>>(x)));
}
template <class V>
INLINE V lgamma_of(V x) {
  return cast<V>(lgamma_of_double(cast<double_like<V>>(x)));
}

} // namespace

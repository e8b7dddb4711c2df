#pragma once

// The error functions. The polynomials are from Sollya's fpminimax, relative error; the exponent at each is
// log2 of that error.

#include "exp.hpp"

namespace {

/// erfc a for a >= 0: e^(-a²) t p(t), t = 1 / (a + c). 2^-28.8 for c = 3, 2^-58.8 for c = 3.75:
/// fpminimax(erfc(1/x-c)*exp((1/x-c)^2)/x, n, ..., [1/(largest+c);1/c], relative, floating).
template <class V>
INLINE V erfc_of_positive(V x) {
  const V a = at_most(x, number<V>(11, 28)); // where the result is 0
  const V square = a * a, square_low = muladd(a, a, -square);
  const Reduced<V> e = reduce_ln2(at_least(-square, number<V>(-104, -746)));
  const V exponential = insert_exponent(V(1) + expm1_reduced(e.r - square_low), e);
  const V t = V(1) / (a + number<V>(3, 3.75));
  V p;
  if constexpr (is_double<V>) {
    p = polynomial(t, 0x1.20dd7503f9d2ep-1, 0x1.0ecf9dbfec7dp1, 0x1.e9b76d91cc711p2, 0x1.a94239b5ca7b2p4,
                   0x1.60c213cfff553p6, 0x1.15a92411cf228p8, 0x1.98c27fb83c8p9, 0x1.20bc6db5a584p11,
                   0x1.0dc668dd50adap12, 0x1.d8d43a2778d5fp14, -0x1.95b2bced3a15fp17, 0x1.19de6aa996636p21,
                   -0x1.242a010e43497p24, 0x1.f04d296ce1b31p26, -0x1.5b505334d30a9p29, 0x1.87cc0bfd7325ap31,
                   -0x1.6110f99ecb24fp33, 0x1.f1211be0595dep34, -0x1.081e3ae81515cp36, 0x1.95b37a96845cfp36,
                   -0x1.a7acb7ab0ed15p36, 0x1.0d24b6fa3e8f9p36, -0x1.3a6afa06e2ee5p34);
  } else {
    p = polynomial(t, 0x1.20d2cp-1f, 0x1.b2b8cp0f, 0x1.284c8ep2f, 0x1.f17a5p3f, -0x1.40d2dap-2f,
                   0x1.254d86p8f, -0x1.e0e504p9f, 0x1.b682c6p11f, -0x1.66dc22p12f, 0x1.9aabdap11f);
  }
  return exponential * (t * p);
}

template <class V>
INLINE V erfc_of(V x) {
  const V y = erfc_of_positive(magnitude(x));
  return x < V(0) ? V(2) - y : y;
}

/// Below 1: 2^-24.1, 2^-56.0: fpminimax(erf(x)/x, [|0,2,...,n|], ..., [2^-60;1], relative, floating).
template <class V>
INLINE V erf_of(V x) {
  const V a = magnitude(x), z = x * x;
  V p;
  if constexpr (is_double<V>) {
    p = polynomial(z, 0x1.20dd750429b6dp0, -0x1.812746b0379b2p-2, 0x1.ce2f21a0408d1p-4, -0x1.b82ce311ee09bp-6,
                   0x1.565bccf7e2856p-8, -0x1.c02db0149d904p-11, 0x1.f9a2b75531772p-14,
                   -0x1.f4ca204c771c5p-17, 0x1.b97e44280cfb9p-20, -0x1.5bfe76384472p-23,
                   0x1.d6e3ddfeb1f49p-27, -0x1.ab15c51d2ebebp-31);
  } else {
    p = polynomial(z, 0x1.20dd74p0f, -0x1.81266p-2f, 0x1.ce077cp-4f, -0x1.b5937p-6f, 0x1.420828p-8f,
                   -0x1.268bc2p-11f);
  }
  return a < V(1) ? x * p : with_sign(V(1) - erfc_of_positive(a), x);
}

} // namespace

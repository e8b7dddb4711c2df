#pragma once

// The mathematical functions of OpenCL C: name, reference in long double, and the bounds in ULP of OpenCL C 3.0, 7.4, for
// float, double and half.

#include "reference.hpp"

// M(name, reference, float, double, half)
#define UNARY_FUNCTIONS(M)                                                                                   \
  M(acos, std::acos, 4, 4, 2)                                                                                \
  M(acosh, std::acosh, 4, 4, 2)                                                                              \
  M(acospi, reference::acospi, 5, 5, 2)                                                                      \
  M(asin, std::asin, 4, 4, 2)                                                                                \
  M(asinh, std::asinh, 4, 4, 2)                                                                              \
  M(asinpi, reference::asinpi, 5, 5, 2)                                                                      \
  M(atan, std::atan, 5, 5, 2)                                                                                \
  M(atanh, std::atanh, 5, 5, 2)                                                                              \
  M(atanpi, reference::atanpi, 5, 5, 2)                                                                      \
  M(cbrt, std::cbrt, 2, 2, 2)                                                                                \
  M(ceil, std::ceil, 0, 0, 0)                                                                                \
  M(cos, std::cos, 4, 4, 2)                                                                                  \
  M(cosh, std::cosh, 4, 4, 2)                                                                                \
  M(cospi, reference::cospi, 4, 4, 2)                                                                        \
  M(erf, std::erf, 16, 16, 4)                                                                                \
  M(erfc, std::erfc, 16, 16, 4)                                                                              \
  M(exp, std::exp, 3, 3, 2)                                                                                  \
  M(exp10, reference::exp10, 3, 3, 2)                                                                        \
  M(exp2, std::exp2, 3, 3, 2)                                                                                \
  M(expm1, std::expm1, 3, 3, 2)                                                                              \
  M(fabs, std::fabs, 0, 0, 0)                                                                                \
  M(floor, std::floor, 0, 0, 0)                                                                              \
  M(lgamma, std::lgamma, HUGE_VAL, HUGE_VAL, HUGE_VAL)                                                       \
  M(log, std::log, 3, 3, 2)                                                                                  \
  M(log10, std::log10, 3, 3, 2)                                                                              \
  M(log1p, std::log1p, 2, 2, 2)                                                                              \
  M(log2, std::log2, 3, 3, 2)                                                                                \
  M(logb, std::logb, 0, 0, 0)                                                                                \
  M(rint, std::rint, 0, 0, 0)                                                                                \
  M(round, std::round, 0, 0, 0)                                                                              \
  M(rsqrt, reference::rsqrt, 2, 2, 1)                                                                        \
  M(sin, std::sin, 4, 4, 2)                                                                                  \
  M(sinh, std::sinh, 4, 4, 2)                                                                                \
  M(sinpi, reference::sinpi, 4, 4, 2)                                                                        \
  M(sqrt, std::sqrt, 0.5, 0.5, 0.5)                                                                          \
  M(tan, std::tan, 5, 5, 2)                                                                                  \
  M(tanh, std::tanh, 5, 5, 2)                                                                                \
  M(tanpi, reference::tanpi, 6, 6, 2)                                                                        \
  M(tgamma, reference::tgamma, 16, 16, 4)                                                                    \
  M(trunc, std::trunc, 0, 0, 0)

#define BINARY_FUNCTIONS(M)                                                                                  \
  M(atan2, std::atan2, 6, 6, 2)                                                                              \
  M(atan2pi, reference::atan2pi, 6, 6, 2)                                                                    \
  M(copysign, std::copysign, 0, 0, 0)                                                                        \
  M(fdim, std::fdim, 0.5, 0.5, 0.5)                                                                          \
  M(fmax, std::fmax, 0, 0, 0)                                                                                \
  M(fmin, std::fmin, 0, 0, 0)                                                                                \
  M(fmod, std::fmod, 0, 0, 0)                                                                                \
  M(hypot, std::hypot, 4, 4, 2)                                                                              \
  M(maxmag, reference::maxmag, 0, 0, 0)                                                                      \
  M(minmag, reference::minmag, 0, 0, 0)                                                                      \
  M(pow, std::pow, 16, 16, 4)                                                                                \
  M(powr, reference::powr, 16, 16, 4)                                                                        \
  M(remainder, std::remainder, 0, 0, 0)

// With an int as second argument
#define INTEGER_FUNCTIONS(M)                                                                                 \
  M(ldexp, reference::ldexp, 0.5, 0.5, 0.5)                                                                  \
  M(pown, reference::pown, 16, 16, 4)                                                                        \
  M(rootn, reference::rootn, 16, 16, 4)

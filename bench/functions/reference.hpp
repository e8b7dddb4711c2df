#pragma once

// References in long double for functions with several results, for functions that depend on the format of their
// arguments, and for rows that call several functions.

#include "bench/functions/row.hpp"

namespace bench::functions {

/// The sign of a zero is free for whole numbers, as in Khronos' conformance test.
inline Results fract(const Arguments& a) {
  if (std::isnan(a.x) || a.x == 0) return {a.x, a.x};
  if (std::isinf(a.x)) return {std::copysign(Real(0), a.x), a.x};
  const Real whole = std::floor(a.x);
  return {std::fmin(a.x - whole, 1 - std::ldexp(Real(1), -a.digits)), whole, a.x == whole};
}

inline Results modf(const Arguments& a) {
  Real whole;
  const Real part = std::modf(a.x, &whole);
  return {part, whole};
}

inline Results frexp(const Arguments& a) {
  int exponent;
  const Real mantissa = std::frexp(a.x, &exponent);
  return {mantissa, std::isfinite(a.x) ? exponent : unspecified};
}

inline Results ilogb(const Arguments& a) {
  return {std::isfinite(a.x) && a.x != 0 ? std::ilogb(a.x) : unspecified};
}

/// The second result has the lowest 7 bits of the quotient: the specification defines no others.
inline Results remquo(const Arguments& a) {
  const Real rest = std::remainder(a.x, a.y);
  if (std::isnan(rest)) return {rest, unspecified};
  const Real x = std::fabs(a.x), y = std::fabs(a.y);
  const Real quotient = std::rint((std::fmod(x, 128 * y) - std::remainder(x, y)) / y);
  const int low_bits = int(quotient) & 127;
  return {rest, Real(std::signbit(a.x) != std::signbit(a.y) ? -low_bits & 127 : low_bits)};
}

/// The sign is unspecified at the poles.
inline Results lgamma_r(const Arguments& a) {
  int sign = 0;
  const Real logarithm = ::lgammal_r(a.x, &sign);
  const bool pole = a.x <= 0 && a.x == std::floor(a.x);
  return {logarithm, pole || std::isnan(a.x) ? unspecified : sign};
}

inline Results sincos(const Arguments& a) {
  return {std::sin(a.x), std::cos(a.x)};
}

inline Results nextafter(const Arguments& a) {
  if (std::isnan(a.x) || std::isnan(a.y)) return {NAN};
  if (a.x == a.y) return {a.y};
  const auto step = [&](int exponent) {
    return std::ldexp(Real(1), std::max(exponent, a.smallest) - a.digits + 1);
  };
  if (a.x == 0) return {std::copysign(step(a.smallest), a.y)};
  const Real size = std::fabs(a.x);
  const bool grows = (a.x < a.y) == (a.x > 0);
  if (std::isinf(size)) return {unspecified};
  const int exponent = std::ilogb(size);
  const bool power = size == std::ldexp(Real(1), exponent);
  return {std::copysign(grows ? size + step(exponent) : size - step(exponent - power), a.x)};
}

inline Results black_scholes(const Arguments& a) {
  const Real rate = 0.015625L, volatility = 0.3125L, years = Real(a.n) / 4, root = std::sqrt(Real(0.5));
  const Real deviation = volatility * std::sqrt(years);
  const Real d1 = (std::log(a.x / a.y) + (rate + volatility * volatility / 2) * years) / deviation;
  const Real d2 = d1 - deviation;
  return {a.x / 2 * std::erfc(-d1 * root) - a.y / 2 * std::exp(-rate * years) * std::erfc(-d2 * root)};
}

inline Results n_body(const Arguments& a) {
  Results sum{0, 0};
  for (int k = 0; k < 16; ++k) {
    const Real u = k / Real(2) - a.x, v = k / Real(4) - a.y;
    const Real inverse = 1 / std::sqrt(u * u + v * v + 0.0625L), cube = inverse * inverse * inverse;
    sum.first += cube * u;
    sum.second += cube * v;
  }
  return sum;
}

inline Results twiddle(const Arguments& a) {
  const Real angle = a.n * reference::pi / 1024, c = std::cos(angle), s = std::sin(angle);
  return {a.x * c - (1 - a.x) * s, a.x * s + (1 - a.x) * c};
}

} // namespace bench::functions

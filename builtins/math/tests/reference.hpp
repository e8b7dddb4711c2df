#pragma once

// References in long double for functions that the C library lacks, or that have other edge cases there.

#include <cmath>

namespace reference {

using Real = long double;
inline constexpr Real pi = 3.14159265358979323846264338327950288L;

inline Real rsqrt(Real x) {
  return 1 / std::sqrt(x);
}
inline Real exp10(Real x) {
  return ::exp10l(x);
}
inline Real asinpi(Real x) {
  return std::asin(x) / pi;
}
inline Real acospi(Real x) {
  return std::acos(x) / pi;
}
inline Real atanpi(Real x) {
  return std::atan(x) / pi;
}
inline Real atan2pi(Real y, Real x) {
  return std::atan2(y, x) / pi;
}

/// Zeros have the sign of x.
inline Real sinpi(Real x) {
  const Real a = std::fabs(x), n = std::rint(a), r = a - n;
  const Real size = r == 0 ? 0 : std::fmod(n, 2) != 0 ? -std::sin(pi * r) : std::sin(pi * r);
  return std::signbit(x) ? -size : size;
}
/// Zeros are positive.
inline Real cospi(Real x) {
  const Real a = std::fabs(x), n = std::rint(a), r = std::fabs(a - n);
  const Real size = r > 0.25L ? std::sin(pi * (0.5L - r)) : std::cos(pi * r);
  return size == 0 ? 0 : std::fmod(n, 2) != 0 ? -size : size;
}
/// OpenCL C 3.0, 7.5.1: a zero of x's sign for even numbers, of the other for odd ones; infinite half-way.
inline Real tanpi(Real x) {
  const Real a = std::fabs(x), n = std::rint(a), r = a - n, size = std::fabs(r);
  const bool odd = std::fmod(n, 2) != 0;
  Real y = size > 0.25L ? 1 / std::tan(pi * (0.5L - size)) : std::tan(pi * size);
  if (size == 0.5L) y = HUGE_VALL;
  if (r < 0 || (r == 0 && odd)) y = -y;
  return std::signbit(x) ? -y : y;
}

/// Poles: infinity of the zero's sign at 0, NaN at negative whole numbers.
inline Real tgamma(Real x) {
  return std::tgamma(x);
}

inline Real powr(Real x, Real y) {
  if (x < 0 || std::isnan(x) || std::isnan(y)) return NAN;
  if ((x == 0 || std::isinf(x)) && y == 0) return NAN;
  if (x == 1 && std::isinf(y)) return NAN;
  return std::pow(std::fabs(x), y);
}
inline Real pown(Real x, int n) {
  return std::pow(x, Real(n));
}
inline Real ldexp(Real x, int n) {
  return std::ldexp(x, n);
}
inline Real rootn(Real x, int n) {
  if (n == 0) return NAN;
  const bool odd = n % 2 != 0;
  if (x < 0 && !odd) return NAN;
  const Real size = std::pow(std::fabs(x), 1 / Real(n));
  return odd && std::signbit(x) ? -size : size;
}

inline Real maxmag(Real x, Real y) {
  const Real a = std::fabs(x), b = std::fabs(y);
  return a > b ? x : b > a ? y : std::fmax(x, y);
}
inline Real minmag(Real x, Real y) {
  const Real a = std::fabs(x), b = std::fabs(y);
  return a < b ? x : b < a ? y : std::fmin(x, y);
}

} // namespace reference

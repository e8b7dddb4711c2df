#pragma once

// Errors in ULP as OpenCL C 3.0, 7.4 counts them, and the sets of arguments that functions are tested with.

#include "functions.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

namespace accuracy {

using Real = long double;

/// The facts of an element type that the tests need.
template <class T>
struct Format;
template <>
struct Format<float> {
  static constexpr int digits = 24, smallest = -126, largest = 127;
  using Bits = std::uint32_t;
};
template <>
struct Format<double> {
  static constexpr int digits = 53, smallest = -1022, largest = 1023;
  using Bits = std::uint64_t;
};
template <>
struct Format<_Float16> {
  static constexpr int digits = 11, smallest = -14, largest = 15;
  using Bits = std::uint16_t;
};

/// The error of `got` in units of the last place of `wanted`. A result beyond the largest number counts as
/// the next power of two. Infinite if one is NaN and the other is not, or a zero has the wrong sign.
template <class T>
double error_in_ulp(T got, Real wanted) {
  using F = Format<T>;
  const Real beyond = std::ldexp(Real(1), F::largest + 1);
  if (std::isnan(wanted) || got != got) return std::isnan(wanted) && got != got ? 0 : HUGE_VAL;
  Real value = got;
  if (value == 0 && wanted == 0) return std::signbit(value) == std::signbit(wanted) ? 0 : HUGE_VAL;
  if (std::fabs(value) > beyond) value = std::copysign(beyond, value);
  if (std::fabs(wanted) > beyond) wanted = std::copysign(beyond, wanted);
  if (value == wanted) return 0;
  const int exponent = wanted == 0 ? F::smallest : std::max(std::ilogb(wanted), F::smallest);
  return double(std::fabs(value - wanted) / std::ldexp(Real(1), exponent - F::digits + 1));
}

template <class T>
T from_bits(typename Format<T>::Bits bits) {
  return std::bit_cast<T>(bits);
}

/// Special numbers, at which functions often fail, of both signs.
template <class T>
std::vector<T> special_values() {
  using F = Format<T>;
  using B = typename F::Bits;
  std::vector<T> values;
  const auto around = [&](Real x) {
    const B bits = std::bit_cast<B>(T(x));
    for (int i = -2; i <= 2; ++i) {
      const T value = from_bits<T>(B(bits + i));
      values.push_back(value);
      values.push_back(-value);
    }
  };
  values.push_back(T(0));
  values.push_back(-T(0));
  values.push_back(T(NAN));
  const Real tiny = std::ldexp(Real(1), F::smallest);
  for (Real x : {tiny / 64,
                 tiny,
                 4 * tiny,
                 1 / Real(1 << (F::digits / 2)),
                 Real(0.25),
                 Real(0.5),
                 Real(0.70710678118654752),
                 Real(1),
                 Real(1.4142135623730950),
                 Real(1.5),
                 Real(2),
                 Real(2.5),
                 Real(3),
                 Real(4),
                 Real(5),
                 Real(7),
                 Real(8.5),
                 Real(16),
                 Real(23),
                 reference::pi / 4,
                 reference::pi / 2,
                 reference::pi,
                 2 * reference::pi,
                 Real(88.72),
                 Real(127),
                 Real(128),
                 Real(149),
                 Real(709.78),
                 Real(1024),
                 std::ldexp(Real(1), F::digits - 1),
                 std::ldexp(Real(1), F::digits),
                 std::ldexp(Real(1), F::largest)})
    around(x);
  const B infinite = std::bit_cast<B>(T(HUGE_VAL));
  for (int i = 0; i < 3; ++i) {
    values.push_back(from_bits<T>(B(infinite - i)));
    values.push_back(-from_bits<T>(B(infinite - i)));
    values.push_back(from_bits<T>(B(i + 1)));
    values.push_back(-from_bits<T>(B(i + 1)));
  }
  return values;
}

/// Random numbers: every bit pattern, or moderate sizes, or close to small whole numbers.
template <class T>
class Source {
public:
  explicit Source(std::uint64_t seed) : engine_(seed) {}
  T operator()() {
    using B = typename Format<T>::Bits;
    const double unit = double(engine_() >> 11) * 0x1p-53;
    switch (engine_() & 7) {
    case 0:
    case 1:
    case 2:
      return from_bits<T>(B(engine_()));
    case 3:
      return T(unit * 2 - 1);
    case 4:
      return T(unit * 20 - 10);
    case 5:
      return T(unit * 400 - 200);
    case 6:
      return T(double(int(engine_() % 64) - 32) * 0.5 + (unit - 0.5) * 0x1p-8);
    default:
      return T(std::ldexp(unit + 0.5, int(engine_() % 40) - 30));
    }
  }
  int integer() {
    switch (engine_() & 3) {
    case 0:
      return int(engine_());
    case 1:
      return int(engine_() % 400) - 200;
    default:
      return int(engine_() % 24) - 12;
    }
  }

private:
  std::mt19937_64 engine_;
};

/// The largest error seen, and its arguments.
struct Worst {
  double error = 0;
  Real x = 0, y = 0;
  Real got = 0, wanted = 0;
  void add(double e, Real ax, Real ay, Real g, Real w) {
    if (e > error) *this = {e, ax, ay, g, w};
  }
};

/// Every bit pattern of half; special values, random ones and every `stride`-th bit pattern of the others.
template <class T>
std::vector<T> arguments(long random_count, std::uint64_t stride) {
  using B = typename Format<T>::Bits;
  std::vector<T> values;
  if constexpr (sizeof(T) == 2) {
    for (int i = 0; i < 65536; ++i)
      values.push_back(from_bits<T>(B(i)));
  } else {
    values = special_values<T>();
    Source<T> source(1);
    for (long i = 0; i < random_count; ++i)
      values.push_back(source());
    if (sizeof(T) == 4)
      for (std::uint64_t i = 0; i < (std::uint64_t(1) << 32); i += stride)
        values.push_back(from_bits<T>(B(i)));
  }
  return values;
}

/// Pairs of arguments: each special value with each, and random ones. S is T or int.
template <class T, class S>
std::vector<std::pair<T, S>> pairs(long random_count) {
  std::vector<std::pair<T, S>> result;
  Source<T> source(2);
  const auto specials = special_values<T>();
  if constexpr (std::is_same_v<S, int>) {
    for (T x : specials)
      for (int n : {0,
                    1,
                    -1,
                    2,
                    -2,
                    3,
                    -3,
                    5,
                    10,
                    31,
                    127,
                    -127,
                    128,
                    -149,
                    -150,
                    1023,
                    1024,
                    -1074,
                    -1075,
                    3000,
                    16777217,
                    std::numeric_limits<int>::max(),
                    std::numeric_limits<int>::min()})
        result.emplace_back(x, n);
    for (long i = 0; i < random_count; ++i) {
      const T x = source();
      result.emplace_back(x, source.integer());
    }
  } else {
    for (T x : specials)
      for (T y : specials)
        result.emplace_back(x, y);
    for (long i = 0; i < random_count; ++i) {
      const T x = source();
      result.emplace_back(x, source());
    }
  }
  return result;
}

} // namespace accuracy

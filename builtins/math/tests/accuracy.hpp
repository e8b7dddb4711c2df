#pragma once

// Errors in ULP as OpenCL C 3.0, 7.4 counts them, and the sets of arguments that functions are tried with.

#include "functions.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace accuracy {

using Real = long double;

/// What the tests need to know of an element type. Half values are held in float.
template <class T>
struct Format;
template <>
struct Format<float> {
  static constexpr int digits = 24, smallest = -126, largest = 127;
  using Bits = std::uint32_t;
  using Vector = float16;
};
template <>
struct Format<double> {
  static constexpr int digits = 53, smallest = -1022, largest = 1023;
  using Bits = std::uint64_t;
  using Vector = double8;
};
template <>
struct Format<_Float16> {
  static constexpr int digits = 11, smallest = -14, largest = 15;
  using Bits = std::uint16_t;
  using Vector = half16;
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

/// Numbers where functions like to go wrong, of both signs.
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

/// The largest error seen, and where.
struct Worst {
  double error = 0;
  Real x = 0, y = 0;
  Real got = 0, wanted = 0;
  void add(double e, Real ax, Real ay, Real g, Real w) {
    if (e > error) *this = {e, ax, ay, g, w};
  }
};

/// Runs a vector function over arguments, element by element compared with the reference. `next` fills in one
/// argument and says whether there is another.
template <class T, class Next>
void compare(typename Format<T>::Vector (*function)(typename Format<T>::Vector), Real (*reference)(Real),
             Next next, Worst& worst) {
  using V = typename Format<T>::Vector;
  constexpr int width = sizeof(V) / sizeof(T);
  for (bool more = true; more;) {
    V x{};
    for (int i = 0; i < width && more; ++i) {
      T value = 0;
      more = next(value);
      x[i] = value;
    }
    const V y = function(x);
    for (int i = 0; i < width; ++i)
      worst.add(error_in_ulp(T(y[i]), reference(x[i])), x[i], 0, y[i], reference(x[i]));
  }
}

} // namespace accuracy

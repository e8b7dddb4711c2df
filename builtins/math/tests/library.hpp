#pragma once

// The library's functions for vectors of 16 floats, 8 doubles and 16 halves, compiled for the machine that runs the test,
// and their comparison with the references.

#include "accuracy.hpp"

using float16 = float __attribute__((ext_vector_type(16)));
using double8 = double __attribute__((ext_vector_type(8)));
using half16 = __fp16 __attribute__((ext_vector_type(16)));
using int16 = int __attribute__((ext_vector_type(16)));
using int8 = int __attribute__((ext_vector_type(8)));

// The built-ins, by the names that C++ and C++ for OpenCL mangle alike.
#define DECLARE(name, reference, f, d, h)                                                                    \
  float16 name(float16);                                                                                     \
  double8 name(double8);                                                                                     \
  half16 name(half16);
UNARY_FUNCTIONS(DECLARE)
#undef DECLARE
#define DECLARE(name, reference, f, d, h)                                                                    \
  float16 name(float16, float16);                                                                            \
  double8 name(double8, double8);                                                                            \
  half16 name(half16, half16);
BINARY_FUNCTIONS(DECLARE)
#undef DECLARE
#define DECLARE(name, reference, f, d, h)                                                                    \
  float16 name(float16, int16);                                                                              \
  double8 name(double8, int8);                                                                               \
  half16 name(half16, int16);
INTEGER_FUNCTIONS(DECLARE)
#undef DECLARE

namespace accuracy {

template <class T>
using Vector =
    std::conditional_t<sizeof(T) == 2, half16, std::conditional_t<sizeof(T) == 4, float16, double8>>;

template <class T>
using UnaryFunction = Vector<T> (*)(Vector<T>);

/// Compares a vector function, element by element, with its reference.
template <class T>
Worst compare(UnaryFunction<T> function, Real (*reference)(Real), const std::vector<T>& values) {
  using V = Vector<T>;
  constexpr std::size_t width = sizeof(V) / sizeof(T);
  Worst worst;
  for (std::size_t first = 0; first < values.size(); first += width) {
    V x{};
    const std::size_t count = std::min(width, values.size() - first);
    for (std::size_t i = 0; i < count; ++i)
      x[i] = values[first + i];
    const V y = function(x);
    for (std::size_t i = 0; i < count; ++i) {
      const Real wanted = reference(x[i]);
      worst.add(error_in_ulp(T(y[i]), wanted), x[i], 0, y[i], wanted);
    }
  }
  return worst;
}

template <class S>
using ReferenceArgument = std::conditional_t<std::is_same_v<S, int>, int, Real>;

/// As the above, for two arguments. Zeros of either sign are as good as each other where both arguments are
/// zeros.
template <class T, class S, class W>
Worst compare(Vector<T> (*function)(Vector<T>, W), Real (*reference)(Real, ReferenceArgument<S>),
              const std::vector<std::pair<T, S>>& values) {
  using V = Vector<T>;
  constexpr std::size_t width = sizeof(V) / sizeof(T);
  Worst worst;
  for (std::size_t first = 0; first < values.size(); first += width) {
    V x{};
    W y{};
    const std::size_t count = std::min(width, values.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      x[i] = values[first + i].first;
      y[i] = values[first + i].second;
    }
    const V z = function(x, y);
    for (std::size_t i = 0; i < count; ++i) {
      const Real wanted = reference(x[i], y[i]), got = z[i];
      if (x[i] == 0 && y[i] == 0 && got == 0 && wanted == 0) continue;
      worst.add(error_in_ulp(T(got), wanted), x[i], y[i], got, wanted);
    }
  }
  return worst;
}

} // namespace accuracy

#pragma once

// The functions under test: how a kernel calls each function, what its exact results are, and which errors are allowed.

#include "format.hpp"

#include <array>
#include <string>
#include <vector>

namespace maths {

/// Exact results of a function.
struct Results {
  Real first;
  Real second = NAN;   ///< what the function writes to its pointer; an int that is NAN here is not compared
  bool defined = true; ///< whether OpenCL C defines the result for these arguments
};

/// Results for arguments of the given type. If an argument of the function is an int, it is y.
using Reference = Results (*)(const Format& format, Real x, Real y);

template <Real (*f)(Real)>
Results unary(const Format&, Real x, Real) {
  return {f(x)};
}
template <Real (*f)(Real, Real)>
Results binary(const Format&, Real x, Real y) {
  return {f(x, y)};
}

enum class Kind { none, real, integer };

/// How an error is measured, and which unit its bound has.
enum class Measure {
  ulp,        ///< ULP of OpenCL C 3.0, 7.4
  ulp_of_one, ///< as ulp, but results below 1 have the ULP of 1; an exact zero must be a zero
  growing,    ///< ULP divided by 3 + |2x|
  absolute    ///< difference
};

struct Function {
  std::string name;     ///< as it is reported
  std::string call;     ///< expression of x, y and &other
  Kind second_argument; ///< the type of y
  Kind second_result;   ///< the type of `other`
  Reference reference;
  std::array<double, 3> bound; ///< for each of `formats`; the function is not tested for types with NAN
  Measure measure = Measure::ulp;
  double low = 0, high = 0;     ///< if low < high: x is in [low, high]
  const char* options = "";     ///< build options
  bool any_zero = false;        ///< whether a zero may have either sign
  const char* definitions = ""; ///< OpenCL C that precedes the kernel; T is the type of x
};

/// All functions, in the order of the specification's names.
std::vector<Function> all_functions();

/// The error of a real result of the function. Infinite if one of `got` and `wanted` is NaN and the other is not, or a
/// zero has the wrong sign.
double error_of(const Function& function, const Format& format, Real x, Real got, Real wanted);

} // namespace maths

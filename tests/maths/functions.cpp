#include "functions.hpp"

#include "reference.hpp"

#include <algorithm>

namespace maths {

namespace {

using Bound = std::array<double, 3>;

/// For relaxed functions, whose results are only compared if the first argument and the result are normal numbers.
template <Real (*f)(Real, Real)>
Results binary_normal(const Format& format, Real x, Real y) {
  const Real tiny = std::ldexp(Real(1), format.smallest), result = f(x, y), size = std::fabs(result);
  return {result, NAN, std::fabs(x) >= tiny && size >= tiny && size < format.beyond() && std::isfinite(y)};
}

void add_unary(std::vector<Function>& list) {
  struct Row {
    const char* name;
    Reference reference;
    Bound bound;
    Measure measure = Measure::ulp;
  };
  static constexpr Row rows[] = {
      {"acos", unary<acosl>, {4, 4, 2}},
      {"acosh", unary<acoshl>, {4, 4, 2}},
      {"acospi", unary<reference::acospi>, {5, 5, 2}},
      {"asin", unary<asinl>, {4, 4, 2}},
      {"asinh", unary<asinhl>, {4, 4, 2}},
      {"asinpi", unary<reference::asinpi>, {5, 5, 2}},
      {"atan", unary<atanl>, {5, 5, 2}},
      {"atanh", unary<atanhl>, {5, 5, 2}},
      {"atanpi", unary<reference::atanpi>, {5, 5, 2}},
      {"cbrt", unary<cbrtl>, {2, 2, 2}},
      {"ceil", unary<ceill>, {0, 0, 0}},
      {"cos", unary<cosl>, {4, 4, 2}},
      {"cosh", unary<coshl>, {4, 4, 2}},
      {"cospi", unary<reference::cospi>, {4, 4, 2}},
      {"erf", unary<erfl>, {16, 16, 4}},
      {"erfc", unary<erfcl>, {16, 16, 4}},
      {"exp", unary<expl>, {3, 3, 2}},
      {"exp10", unary<exp10l>, {3, 3, 2}},
      {"exp2", unary<exp2l>, {3, 3, 2}},
      {"expm1", unary<expm1l>, {3, 3, 2}},
      {"fabs", unary<fabsl>, {0, 0, 0}},
      {"floor", unary<floorl>, {0, 0, 0}},
      // No bound in the specification. Floats and doubles are computed in double.
      {"lgamma", unary<lgammal>, {1, 64, 1}, Measure::ulp_of_one},
      {"log", unary<logl>, {3, 3, 2}},
      {"log10", unary<log10l>, {3, 3, 2}},
      {"log1p", unary<log1pl>, {2, 2, 2}},
      {"log2", unary<log2l>, {3, 3, 2}},
      {"logb", unary<logbl>, {0, 0, 0}},
      {"rint", unary<rintl>, {0, 0, 0}},
      {"round", unary<roundl>, {0, 0, 0}},
      {"rsqrt", unary<reference::rsqrt>, {2, 2, 1}},
      {"sin", unary<sinl>, {4, 4, 2}},
      {"sinh", unary<sinhl>, {4, 4, 2}},
      {"sinpi", unary<reference::sinpi>, {4, 4, 2}},
      {"sqrt", unary<sqrtl>, {0.5, 0.5, 0.5}},
      {"tan", unary<tanl>, {5, 5, 2}},
      {"tanh", unary<tanhl>, {5, 5, 2}},
      {"tanpi", unary<reference::tanpi>, {6, 6, 2}},
      {"tgamma", unary<tgammal>, {16, 16, 4}},
      {"trunc", unary<truncl>, {0, 0, 0}},
  };
  for (const Row& row : rows)
    list.push_back({row.name, std::string(row.name) + "(x)", Kind::none, Kind::none, row.reference, row.bound,
                    row.measure});
}

void add_binary(std::vector<Function>& list) {
  struct Row {
    const char* name;
    Reference reference;
    Bound bound;
    Measure measure = Measure::ulp;
    Kind second_argument = Kind::real;
    bool any_zero = false;
  };
  static constexpr Row rows[] = {
      {"atan2", binary<atan2l>, {6, 6, 2}},
      {"atan2pi", binary<reference::atan2pi>, {6, 6, 2}},
      {"copysign", binary<copysignl>, {0, 0, 0}},
      {"fdim", binary<fdiml>, {0.5, 0.5, 0.5}},
      {"fmax", binary<fmaxl>, {0, 0, 0}, Measure::ulp, Kind::real, true},
      {"fmin", binary<fminl>, {0, 0, 0}, Measure::ulp, Kind::real, true},
      {"fmod", binary<fmodl>, {0, 0, 0}},
      {"hypot", binary<hypotl>, {4, 4, 2}},
      {"ldexp", binary<reference::ldexp>, {0.5, 0.5, 0.5}, Measure::ulp, Kind::integer},
      {"maxmag", binary<reference::maxmag>, {0, 0, 0}, Measure::ulp, Kind::real, true},
      {"minmag", binary<reference::minmag>, {0, 0, 0}, Measure::ulp, Kind::real, true},
      {"nextafter", reference::nextafter, {0, 0, 0}},
      {"pow", binary<powl>, {16, 16, 4}},
      {"pown", binary<powl>, {16, 16, 4}, Measure::ulp, Kind::integer},
      {"powr", binary<reference::powr>, {16, 16, 4}},
      {"remainder", binary<remainderl>, {0, 0, 0}},
      {"rootn", binary<reference::rootn>, {16, 16, 4}, Measure::ulp, Kind::integer},
  };
  for (const Row& row : rows) {
    list.push_back({row.name, std::string(row.name) + "(x, y)", row.second_argument, Kind::none,
                    row.reference, row.bound, row.measure});
    list.back().any_zero = row.any_zero;
  }
}

/// Functions with a result behind a pointer, and ilogb.
void add_pairs(std::vector<Function>& list) {
  const auto add = [&](const char* name, Kind argument, Kind result, Reference reference, Bound bound,
                       Measure measure = Measure::ulp) {
    const char* arguments = argument == Kind::none ? "(x, &other)" : "(x, y, &other)";
    list.push_back({name, std::string(name) + arguments, argument, result, reference, bound, measure});
  };
  add("fract", Kind::none, Kind::real, reference::fract, {0, 0, 0});
  list.back().any_zero = true; // Khronos' test accepts -0 for negative integers
  add("frexp", Kind::none, Kind::integer, reference::frexp, {0, 0, 0});
  add("lgamma_r", Kind::none, Kind::integer, reference::lgamma_r, {1, 64, 1}, Measure::ulp_of_one);
  add("modf", Kind::none, Kind::real, reference::modf, {0, 0, 0});
  add("remquo", Kind::real, Kind::integer, reference::remquo, {0, 0, 0});
  // Only the quotient's lowest seven bits and its sign are defined.
  list.back().call = "remquo(x, y, &other), other %= 128";
  add("sincos", Kind::none, Kind::real, reference::sincos, {4, 4, 2});
  add("ilogb", Kind::none, Kind::integer, reference::ilogb, {0, 0, 0});
  list.back().call = "x, other = ilogb(x)";
}

/// The bounds that hold with -cl-fast-relaxed-math (OpenCL C 3.0, 7.4, and docs/maths.md), and for native_ and half_
/// functions, most of which have the same code.
class Relaxed {
public:
  explicit Relaxed(std::vector<Function>& list) : list_(list) {}
  /// `forms` has r for relaxed math, n for native_, h for half_.
  void add(const std::string& name, const char* forms, Reference reference, Measure measure, double bound,
           double low = 0, double high = 0, Kind second = Kind::none) {
    const std::string call = name + (second == Kind::none ? "(x)" : "(x, y)");
    for (const char* form = forms; *form; ++form) {
      const std::string prefix = *form == 'n' ? "native_" : *form == 'h' ? "half_" : "";
      list_.push_back({prefix.empty() ? "fast_" + name : prefix + name,
                       prefix + call,
                       second,
                       Kind::none,
                       reference,
                       {bound, NAN, NAN},
                       measure,
                       low,
                       high,
                       prefix.empty() ? fast : "",
                       true});
    }
  }
  void add_exponentials();
  void add_logarithms();
  void add_others();

private:
  static constexpr const char* fast = "-cl-fast-relaxed-math";
  std::vector<Function>& list_;
};

void Relaxed::add_exponentials() {
  add("exp", "rnh", unary<expl>, Measure::growing, 1, -87, 88.7);
  add("exp2", "rnh", unary<exp2l>, Measure::growing, 1, -126, 127.9);
  add("exp10", "rnh", unary<exp10l>, Measure::ulp, 8192, -37, 38.5);
  // Infinity and zero, for arguments beyond these ranges.
  add("exp", "rnh", unary<expl>, Measure::ulp, 1, 89, 1000);
  add("exp", "rnh", unary<expl>, Measure::ulp, 1, -1000, -110);
  add("exp2", "rnh", unary<exp2l>, Measure::ulp, 1, 128, 1000);
  add("exp2", "rnh", unary<exp2l>, Measure::ulp, 1, -1000, -160);
}

void Relaxed::add_logarithms() {
  for (const auto& [name, reference] : {std::pair<const char*, Reference>{"log", unary<logl>},
                                        {"log2", unary<log2l>},
                                        {"log10", unary<log10l>}}) {
    add(name, "rnh", reference, Measure::absolute, 0x1p-21, 0.5, 2);
    add(name, "rnh", reference, Measure::ulp, 3, 1e-30, 0.5);
    add(name, "rnh", reference, Measure::ulp, 3, 2, 1e4);
  }
}

void Relaxed::add_others() {
  add("sin", "rn", unary<sinl>, Measure::absolute, 0x1p-11, -3.1415926, 3.1415926);
  add("cos", "rn", unary<cosl>, Measure::absolute, 0x1p-11, -3.1415926, 3.1415926);
  // Fourier transforms need smaller errors than the specification requires. The ranges of cos leave out its zeros,
  // where results are inexact because the reduction uses only the first 48 bits of pi.
  add("sin", "rn", unary<sinl>, Measure::ulp, 2.5, -3.14, 3.14);
  add("cos", "rn", unary<cosl>, Measure::ulp, 2.5, -1.57, 1.57);
  add("cos", "rn", unary<cosl>, Measure::ulp, 2.5, 1.5708, 3.1415926);
  add("tan", "rn", unary<tanl>, Measure::ulp, 4, -1.57, 1.57);
  list_.push_back(list_.back());
  list_.back().name = "fast_sincos";
  list_.back().call = "sincos(x, &other)";
  list_.back().second_result = Kind::real;
  list_.back().reference = reference::sincos;
  list_.back().options = fast;
  add("sin", "rn", unary<sinl>, Measure::absolute, 0x1.4p-23, -100, 100);
  add("cos", "rn", unary<cosl>, Measure::absolute, 0x1.4p-23, -100, 100);
  add("tan", "rn", unary<tanl>, Measure::ulp, 8192, -3.1, 3.1);
  // half_sin, half_cos and half_tan have the accurate code.
  add("sin", "h", unary<sinl>, Measure::ulp, 4, -65536, 65536);
  add("cos", "h", unary<cosl>, Measure::ulp, 4, -65536, 65536);
  add("tan", "h", unary<tanl>, Measure::ulp, 5, -65536, 65536);
  add("tanh", "r", unary<tanhl>, Measure::ulp, 8192, -10, 10);
  add("tanh", "r", unary<tanhl>, Measure::ulp, 8192, -0.01, 0.01);
  add("rsqrt", "rnh", unary<reference::rsqrt>, Measure::ulp, 8192, 1e-6, 100);
  add("sqrt", "rnh", unary<sqrtl>, Measure::ulp, 8192, 1e-6, 100);
  add("recip", "nh", unary<reference::recip>, Measure::ulp, 8192, 1e-6, 100);
  add("recip", "nh", unary<reference::recip>, Measure::ulp, 8192, -100, -1e-6);
  add("divide", "nh", binary_normal<reference::divide>, Measure::ulp, 8192, 1e-6, 1e6, Kind::real);
  add("pow", "r", binary_normal<powl>, Measure::ulp, 8192, 0, 0, Kind::real);
  add("powr", "rnh", binary_normal<reference::powr>, Measure::ulp, 8192, 0, 0, Kind::real);
}

/// Results that are closer than the specification asks for, because programs compare them with a C library's.
void add_close(std::vector<Function>& list) {
  list.push_back({"atan close",
                  "atan(x)",
                  Kind::none,
                  Kind::none,
                  unary<atanl>,
                  {0x1p-23, NAN, NAN},
                  Measure::absolute,
                  0.01,
                  50});
  list.push_back({"lgamma close",
                  "lgamma(x)",
                  Kind::none,
                  Kind::none,
                  unary<lgammal>,
                  {1, 64, 1},
                  Measure::ulp_of_one,
                  0.01,
                  8});
}

} // namespace

std::vector<Function> all_functions() {
  std::vector<Function> list;
  add_unary(list);
  add_binary(list);
  add_pairs(list);
  add_close(list);
  Relaxed relaxed(list);
  relaxed.add_exponentials();
  relaxed.add_logarithms();
  relaxed.add_others();
  return list;
}

double error_of(const Function& function, const Format& format, Real x, Real got, Real wanted) {
  const Measure measure = function.measure;
  if (std::isnan(wanted) || std::isnan(got)) return std::isnan(wanted) && std::isnan(got) ? 0 : HUGE_VAL;
  if (got == 0 && wanted == 0)
    return std::signbit(got) == std::signbit(wanted) || function.any_zero ? 0 : HUGE_VAL;
  const Real beyond = format.beyond();
  if (std::fabs(got) > beyond) got = std::copysign(beyond, got);
  if (std::fabs(wanted) > beyond) wanted = std::copysign(beyond, wanted);
  if (got == wanted) return 0;
  const double difference = double(std::fabs(got - wanted));
  if (measure == Measure::absolute) return difference;
  if (measure == Measure::ulp_of_one && wanted == 0) return HUGE_VAL;
  int exponent = wanted == 0 ? format.smallest : std::ilogb(wanted);
  if (measure == Measure::ulp_of_one) exponent = std::max(exponent, 0);
  const double error = double(std::fabs(got - wanted) / format.ulp(exponent));
  return measure == Measure::growing ? error / double(3 + std::floor(std::fabs(2 * x))) : error;
}

} // namespace maths

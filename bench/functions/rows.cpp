#include "bench/functions/row.hpp"

#include "bench/functions/reference.hpp"

#include <string_view>

namespace bench::functions {
namespace {

constexpr double unbounded = HUGE_VAL;
constexpr Type all_types[] = {Type::single_precision, Type::double_precision, Type::half_precision};
constexpr std::span<const Type> float_only(all_types, 1), float_and_double(all_types, 2);

struct Ranges {
  std::string_view name;
  Range x = {-10, 10}, y = {-10, 10};
};

/// The arguments that functions are timed with, for those that do not take the default.
constexpr Ranges timed_ranges[] = {
    {"acos", {-1, 1}},
    {"acosh", {1, 20}},
    {"acospi", {-1, 1}},
    {"asin", {-1, 1}},
    {"asinpi", {-1, 1}},
    {"atanh", {-0.99, 0.99}},
    {"cbrt", {-100, 100}},
    {"cosh", {-5, 5}},
    {"divide", {1, 10}, {1, 10}},
    {"erf", {-4, 4}},
    {"erfc", {-4, 4}},
    {"exp10", {-4, 4}},
    {"expm1", {-5, 5}},
    {"fmod", {-100, 100}, {1, 10}},
    {"ilogb", {0.01, 100}},
    {"lgamma", {0.1, 20}},
    {"lgamma_r", {0.1, 20}},
    {"log", {0.001, 100}},
    {"log10", {0.001, 100}},
    {"log1p", {-0.9, 10}},
    {"log2", {0.001, 100}},
    {"logb", {0.01, 100}},
    {"pow", {0.01, 100}, {-5, 5}},
    {"pown", {0.01, 100}},
    {"powr", {0.01, 100}, {-5, 5}},
    {"remainder", {-100, 100}, {1, 10}},
    {"remquo", {-100, 100}, {1, 10}},
    {"rootn", {0.01, 100}, {1, 10}},
    {"rsqrt", {0.01, 100}},
    {"sinh", {-5, 5}},
    {"sqrt", {0, 100}},
    {"tanh", {-5, 5}},
    {"tgamma", {0.1, 20}},
};

Ranges ranges_of(const std::string& name) {
  const auto* found = std::ranges::find(timed_ranges, name, &Ranges::name);
  return found == std::end(timed_ranges) ? Ranges() : *found;
}

using Reference = Results (*)(const Arguments&);

Row function(const std::string& name, const std::string& code, Reference reference, Tried tried, double f,
             double d, double h) {
  const Ranges ranges = ranges_of(name);
  return {name, '`' + name + '`', code, reference, {f, d, h}, tried, all_types, ranges.x, ranges.y};
}

/// Functions of one result, with the bounds that the tests of the built-in library have.
void add_functions(std::vector<Row>& all) {
#define CALL(arguments) [](const Arguments& a) -> Results { return {Real(arguments)}; }
#define ROW(name, reference, f, d, h)                                                                        \
  all.push_back(function(#name, "r = " #name "(x);", CALL(reference(a.x)), Tried::x, f, d, h));
  UNARY_FUNCTIONS(ROW)
#undef ROW
#define ROW(name, reference, f, d, h)                                                                        \
  all.push_back(function(#name, "r = " #name "(x, y);", CALL(reference(a.x, a.y)), Tried::x_and_y, f, d, h));
  BINARY_FUNCTIONS(ROW)
#undef ROW
#define ROW(name, reference, f, d, h)                                                                        \
  all.push_back(function(#name, "r = " #name "(x, n);", CALL(reference(a.x, a.n)), Tried::x_and_n, f, d, h));
  INTEGER_FUNCTIONS(ROW)
#undef ROW
  all.push_back(function("divide", "r = x / y;", CALL(a.x / a.y), Tried::x_and_y, 2.5, 0.5, 0.5));
  all.back().title = "`x / y`";
  all.push_back(
      function("fma", "r = fma(x, y, x);", CALL(std::fma(a.x, a.y, a.x)), Tried::x_and_y, 0.5, 0.5, 0.5));
  all.push_back(function("mad", "r = mad(x, y, x);", CALL(std::fma(a.x, a.y, a.x)), Tried::range, unbounded,
                         unbounded, unbounded));
  all.push_back(function("ilogb", "r = ilogb(x);", ilogb, Tried::x, 0, 0, 0));
  all.push_back(function("nan", "r = nan(AS_BITS(x));", CALL(NAN), Tried::x, 0, 0, 0));
  all.push_back(function("nextafter", "r = nextafter(x, y);", nextafter, Tried::x_and_y, 0, 0, 0));
}

/// Functions that return one result and store another one.
void add_pointer_functions(std::vector<Row>& all) {
  all.push_back(function("fract", "r = fract(x, &s);", fract, Tried::x, 0.5, 0.5, 0.5));
  all.push_back(function("frexp", "int e; r = frexp(x, &e); s = e;", frexp, Tried::x, 0, 0, 0));
  all.push_back(function("lgamma_r", "int e; r = lgamma_r(x, &e); s = e;", lgamma_r, Tried::x, unbounded,
                         unbounded, unbounded));
  all.push_back(function("modf", "r = modf(x, &s);", modf, Tried::x, 0, 0, 0));
  all.push_back(
      function("remquo", "int q; r = remquo(x, y, &q); s = q & 127;", remquo, Tried::x_and_y, 0, 0, 0));
  all.push_back(function("sincos", "r = sincos(x, &s);", sincos, Tried::x, 4, 4, 2));
}

/// A copy of a row with other arguments: those of a range.
void add_range(std::vector<Row>& all, const std::string& of, const std::string& suffix,
               const std::string& title, Range x, std::span<const Type> types, Range y = {0, 1}) {
  Row row = *std::find_if(all.begin(), all.end(), [&](const Row& known) { return known.name == of; });
  row.name += suffix;
  row.title += title;
  row.tried = Tried::range;
  row.types = types;
  row.x = x;
  row.y = y;
  all.push_back(row);
}

void add_ranges(std::vector<Row>& all) {
  for (const char* name : {"sin", "cos", "tan", "sincos"}) {
    add_range(all, name, "_large", ", to 10^6", {-1e6, 1e6}, float_and_double);
    add_range(all, name, "_huge", ", to 10^18", {-1e18, 1e18}, float_and_double);
  }
  for (const char* name : {"exp", "log"})
    add_range(all, name, "_subnormal", ", subnormal", {0, 1, true}, all_types);
  add_range(all, "pown", "_small", ", n from 1 to 4", {0.01, 100}, all_types, {1, 5});
#define POWN(number)                                                                                         \
  all.push_back(function("pown_" #number, "r = pown(x, " #number ");", CALL(reference::pown(a.x, number)),   \
                         Tried::x, 16, 16, 4));                                                              \
  all.back().title = "`pown(x, " #number ")`";
  POWN(2)
  POWN(3)
  POWN(10)
}

void add_fast_functions(std::vector<Row>& all) {
  const Range angles{-3, 3}, numbers{-10, 10}, positive{0.01, 100}, exponents{-5, 5}, divisors{1, 10};
  const auto add = [&](const std::string& name, const std::string& arguments, Reference reference, Range x,
                       Range y) {
    for (const char* prefix : {"half_", "native_"}) {
      const std::string whole = prefix + name;
      const double bound = prefix[0] == 'h' ? 8192 : unbounded;
      all.push_back({whole,
                     '`' + whole + '`',
                     "r = " + whole + '(' + arguments + ");",
                     reference,
                     {bound, bound, bound},
                     Tried::range,
                     float_only,
                     x,
                     y});
    }
  };
  add("cos", "x", CALL(std::cos(a.x)), angles, {});
  add("divide", "x, y", CALL(a.x / a.y), divisors, divisors);
  add("exp", "x", CALL(std::exp(a.x)), numbers, {});
  add("exp10", "x", CALL(reference::exp10(a.x)), exponents, {});
  add("exp2", "x", CALL(std::exp2(a.x)), numbers, {});
  add("log", "x", CALL(std::log(a.x)), positive, {});
  add("log10", "x", CALL(std::log10(a.x)), positive, {});
  add("log2", "x", CALL(std::log2(a.x)), positive, {});
  add("powr", "x, y", CALL(std::pow(a.x, a.y)), positive, exponents);
  add("recip", "x", CALL(1 / a.x), divisors, {});
  add("rsqrt", "x", CALL(reference::rsqrt(a.x)), positive, {});
  add("sin", "x", CALL(std::sin(a.x)), angles, {});
  add("sqrt", "x", CALL(std::sqrt(a.x)), positive, {});
  add("tan", "x", CALL(std::tan(a.x)), angles, {});
}

/// What kernels compute per work-item. Errors are in ULP of numbers of at least 1: the sums cancel.
void add_kernels(std::vector<Row>& all) {
  const auto add = [&](const char* name, const char* title, const char* code, Reference reference, Range x,
                       Range y) {
    all.push_back({name,
                   title,
                   code,
                   reference,
                   {unbounded, unbounded, unbounded},
                   Tried::range,
                   float_and_double,
                   x,
                   y,
                   1});
  };
  add("trigonometry", "sin·cos + pow + tanh", "r = sin(x) * cos(x) + pow(x, y) + tanh(x);",
      CALL(std::sin(a.x) * std::cos(a.x) + std::pow(a.x, a.y) + std::tanh(a.x)), {0.01, 10}, {-2, 2});
  add("exp_log", "exp·log", "r = exp(x) * log(x);", CALL(std::exp(a.x) * std::log(a.x)), {0.01, 5}, {});
  add("black_scholes", "Black-Scholes (log, exp, sqrt, 2 erfc)",
      "T years = (T)n / 4, deviation = (T)0.3125 * sqrt(years);"
      "T d1 = (log(x / y) + (T)(0.015625 + 0.3125 * 0.3125 / 2) * years) / deviation, d2 = d1 - deviation;"
      "r = x / 2 * erfc(-d1 * (T)M_SQRT1_2) - y / 2 * exp((T)-0.015625 * years) * erfc(-d2 * (T)M_SQRT1_2);",
      black_scholes, {5, 30}, {1, 40});
  add("n_body", "n-body, 16 bodies (rsqrt)",
      "r = 0; for (int k = 0; k < 16; ++k) { T u = k * (T)0.5 - x, v = k * (T)0.25 - y;"
      " T q = rsqrt(u * u + v * v + (T)0.0625); q = q * q * q; r += q * u; s += q * v; }",
      n_body, {-10, 10}, {-10, 10});
  add("twiddle", "Fourier twiddle (sincos)",
      "T c, w = sincos(n * (T)(3.14159265358979323846 / 1024), &c); y = 1 - x; r = x * c - y * w; s = x * w "
      "+ y * c;",
      twiddle, {-1, 1}, {0, 1024});
#undef CALL
}

} // namespace

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> made;
    add_functions(made);
    add_pointer_functions(made);
    std::ranges::sort(made, {}, &Row::name);
    add_ranges(made);
    add_kernels(made);
    add_fast_functions(made);
    return made;
  }();
  return all;
}

} // namespace bench::functions

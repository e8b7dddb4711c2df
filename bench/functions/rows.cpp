#include "bench/functions/row.hpp"

#include "bench/functions/reference.hpp"
#include "tests/maths/random_arguments.hpp"

#include <algorithm>
#include <string_view>

namespace bench::functions {
namespace {

using maths::binary, maths::unary;
using maths::Function, maths::Kind, maths::Measure, maths::Reference;

constexpr double unbounded = HUGE_VAL;

struct Ranges {
  std::string_view name;
  Range x = {}, y = {};
};

/// The arguments that functions are timed with, for functions that do not use the default ranges.
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
    {"half_cos", {-3, 3}},
    {"half_sin", {-3, 3}},
    {"half_tan", {-3, 3}},
    {"ilogb", {0.01, 100}},
    {"lgamma", {0.1, 20}},
    {"lgamma_r", {0.1, 20}},
    {"log", {0.001, 100}},
    {"log10", {0.001, 100}},
    {"log1p", {-0.9, 10}},
    {"log2", {0.001, 100}},
    {"logb", {0.01, 100}},
    {"native_cos", {-3, 3}},
    {"native_sin", {-3, 3}},
    {"native_tan", {-3, 3}},
    {"pow", {0.01, 100}, {-5, 5}},
    {"pown", {0.01, 100}},
    {"powr", {0.01, 100}, {-5, 5}},
    {"recip", {1, 10}},
    {"remainder", {-100, 100}, {1, 10}},
    {"remquo", {-100, 100}, {1, 10}},
    {"rootn", {0.01, 100}, {1, 10}},
    {"rsqrt", {0.01, 100}},
    {"sinh", {-5, 5}},
    {"sqrt", {0, 100}},
    {"tanh", {-5, 5}},
    {"tgamma", {0.1, 20}},
};

/// The name without half_ or native_.
std::string_view base_of(std::string_view name) {
  for (const std::string_view prefix : {"half_", "native_"})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  return name;
}

Ranges ranges_of(std::string_view function) {
  for (const std::string_view name : {function, base_of(function)})
    if (const auto* found = std::ranges::find(timed_ranges, name, &Ranges::name);
        found != std::end(timed_ranges))
      return *found;
  return {};
}

void add(std::vector<Row>& all, const Function& function) {
  const Ranges ranges = ranges_of(function.name);
  all.push_back({function, '`' + function.name + '`', ranges.x, ranges.y});
}

/// The functions of maths_survey, without those for relaxed build options. maths_survey has other bounds for half_ and
/// native_ functions; here, the bounds are those of the specification.
void add_functions(std::vector<Row>& all) {
  for (Function& function : maths::all_functions()) {
    const auto same_name = [&](const Row& row) { return row.function.name == function.name; };
    if (*function.options || function.name.ends_with(" close") || std::ranges::any_of(all, same_name))
      continue;
    const bool is_fast = base_of(function.name) != function.name;
    if (is_fast) {
      function.bound[0] = function.name.starts_with("half_") ? 8192 : unbounded;
      function.measure = Measure::ulp;
    }
    add(all, function);
    all.back().errors_in_range = is_fast;
  }
}

Real fused(Real x, Real y) {
  return std::fma(x, y, x);
}

/// Operations that maths_survey does not test.
void add_operations(std::vector<Row>& all) {
  add(all, {"divide", "x / y", Kind::real, Kind::none, binary<maths::reference::divide>, {2.5, 0.5, 0.5}});
  all.back().title = "`x / y`";
  add(all, {"fma", "fma(x, y, x)", Kind::real, Kind::none, binary<fused>, {0.5, 0.5, 0.5}});
  add(all, {"mad", "mad(x, y, x)", Kind::real, Kind::none, binary<fused>, {unbounded, unbounded, unbounded}});
  all.back().errors_in_range = true;
}

/// A copy of a row with arguments of another range.
void add_range(std::vector<Row>& all, std::string_view of, const char* suffix, const char* title, Range x,
               Range y = {0, 1}) {
  Row row = *std::ranges::find(all, of, [](const Row& known) { return known.function.name; });
  row.function.name += suffix;
  row.title += title;
  row.x = x;
  row.y = y;
  row.errors_in_range = true;
  all.push_back(row);
}

template <int n>
Real power(Real x) {
  return std::pow(x, Real(n));
}

void add_ranges(std::vector<Row>& all) {
  for (const char* name : {"sin", "cos", "tan", "sincos"}) {
    add_range(all, name, "_large", ", to 10^6", {-1e6, 1e6});
    all.back().function.bound[2] = NAN;
    add_range(all, name, "_huge", ", to 10^18", {-1e18, 1e18});
    all.back().function.bound[2] = NAN;
  }
  for (const char* name : {"exp", "log"})
    add_range(all, name, "_subnormal", ", subnormal", {0, 1, true});
  add_range(all, "pown", "_small", ", n from 1 to 4", {0.01, 100}, {1, 5});
  for (const auto& [n, reference] : {std::pair<const char*, Reference>{"2", unary<power<2>>},
                                     {"3", unary<power<3>>},
                                     {"10", unary<power<10>>}}) {
    const std::string call = std::string("pown(x, ") + n + ')';
    add(all, {std::string("pown_") + n, call, Kind::none, Kind::none, reference, {16, 16, 4}});
    all.back().title = '`' + call + '`';
  }
}

/// Expressions that kernels compute per work-item. Results below 1 have the ULP of 1, because terms of their sums
/// cancel.
void add_kernels(std::vector<Row>& all) {
  const auto add = [&](const char* name, const char* title, const char* call, Reference reference, Range x,
                       Range y, const char* definitions = "", Kind argument = Kind::real,
                       Kind result = Kind::none) {
    Function function{
        name, call, argument, result, reference, {unbounded, unbounded, NAN}, Measure::ulp_of_one};
    function.definitions = definitions;
    all.push_back({function, title, x, y, true});
  };
  add("trigonometry", "sin·cos + pow + tanh", "sin(x) * cos(x) + pow(x, y) + tanh(x)", binary<trigonometry>,
      {0.01, 10}, {-2, 2});
  add("exp_log", "exp·log", "exp(x) * log(x)", unary<exp_log>, {0.01, 5}, {});
  add("black_scholes", "Black-Scholes (log, exp, sqrt, 2 erfc)", "black_scholes(x, y)", binary<black_scholes>,
      {5, 30}, {1, 40}, R"(
T black_scholes(T x, T y) {
  T years = y / 4, deviation = (T)0.3125 * sqrt(years);
  T d1 = (log(x / y) + (T)(0.015625 + 0.3125 * 0.3125 / 2) * years) / deviation, d2 = d1 - deviation;
  return x / 2 * erfc(-d1 * (T)M_SQRT1_2) - y / 2 * exp((T)-0.015625 * years) * erfc(-d2 * (T)M_SQRT1_2);
})");
  add("n_body", "n-body, 16 bodies (rsqrt)", "n_body(x, y, &other)", n_body, {}, {}, R"(
T n_body(T x, T y, private T* other) {
  T sum = 0, other_sum = 0;
  for (int k = 0; k < 16; ++k) {
    T u = k * (T)0.5 - x, v = k * (T)0.25 - y, q = rsqrt(u * u + v * v + (T)0.0625);
    q = q * q * q;
    sum += q * u;
    other_sum += q * v;
  }
  *other = other_sum;
  return sum;
})",
      Kind::real, Kind::real);
  add("twiddle", "Fourier twiddle (sincos)", "twiddle(x, y, &other)", twiddle, {-1, 1}, {0, 1024}, R"(
T twiddle(T x, int n, private T* other) {
  T c, w = sincos(n * (T)(3.14159265358979323846 / 1024), &c), y = 1 - x;
  *other = x * w + y * c;
  return x * c - y * w;
})",
      Kind::integer, Kind::real);
}

} // namespace

maths::Pair Row::argument(const Format& format, std::size_t index) const {
  maths::RandomArguments random(format, index);
  const auto within = [&](const Range& range) {
    const Real unit = range.subnormal ? std::ldexp(Real(1), format.smallest) : 1;
    return (range.low + (range.high - range.low) * random.unit()) * unit;
  };
  const Real first = format.rounded(within(x)), second = within(y);
  return {first, function.second_argument == Kind::integer ? std::trunc(second) : format.rounded(second)};
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::vector<Row> made;
    add_functions(made);
    add_operations(made);
    std::ranges::sort(made, {}, [](const Row& row) {
      return std::pair(base_of(row.function.name), std::string_view(row.function.name));
    });
    add_ranges(made);
    add_kernels(made);
    return made;
  }();
  return all;
}

} // namespace bench::functions

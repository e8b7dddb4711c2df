// Part of row.hpp: arguments, and errors of results.

#include "bench/functions/row.hpp"

#include "bench/measure.hpp"

#include <cstdio>

namespace bench::functions {
namespace {

constexpr long random_arguments = 200'000;
constexpr std::uint64_t float_stride = 40'009;

template <class T>
double unit(const Range& range) {
  return range.subnormal ? std::ldexp(1.0, accuracy::Format<T>::smallest) : 1.0;
}

template <class T, class S>
void append(Samples<T>& samples, const std::vector<std::pair<T, S>>& pairs) {
  for (const auto& [x, second] : pairs) {
    samples.x.push_back(x);
    samples.y.push_back(std::is_same_v<S, int> ? T(0) : T(second));
    samples.n.push_back(std::is_same_v<S, int> ? int(second) : 0);
  }
}

/// The error in ULP of numbers of at least `least_ulp`.
template <class T>
double error_of(T got, Real wanted, double least_ulp) {
  const double error = accuracy::error_in_ulp(got, wanted);
  if (std::fabs(wanted) >= least_ulp || !std::isfinite(error)) return error;
  return double(std::fabs(got - wanted) /
                std::ldexp(Real(1), std::ilogb(least_ulp) - accuracy::Format<T>::digits + 1));
}

} // namespace

template <class T>
Samples<T> samples_of_ranges(const Row& row, std::size_t count) {
  Samples<T> samples;
  Random random;
  for (std::size_t i = 0; i < count; ++i) {
    samples.x.push_back(T(random.between(row.x.low, row.x.high) * unit<T>(row.x)));
    const double y = random.between(row.y.low, row.y.high);
    samples.y.push_back(T(y));
    samples.n.push_back(int(y));
  }
  return samples;
}

template <class T>
Samples<T> samples_for_errors(const Row& row) {
  if (row.tried == Tried::range) return samples_of_ranges<T>(row, random_arguments);
  Samples<T> samples;
  if (row.tried == Tried::x) samples.x = accuracy::arguments<T>(random_arguments, float_stride);
  if (row.tried == Tried::x_and_y) append(samples, accuracy::pairs<T, T>(random_arguments));
  if (row.tried == Tried::x_and_n) append(samples, accuracy::pairs<T, int>(random_arguments));
  samples.y.resize(samples.x.size());
  samples.n.resize(samples.x.size());
  return samples;
}

template <class T>
Error largest_error(const Row& row, const Samples<T>& samples, const std::vector<T>& first,
                    const std::vector<T>& second) {
  using F = accuracy::Format<T>;
  double worst = 0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    const Arguments arguments{samples.x[i], samples.y[i], samples.n[i], F::digits, F::smallest};
    const Results wanted = row.reference(arguments);
    const bool any_zero =
        wanted.any_zero || (row.tried == Tried::x_and_y && arguments.x == 0 && arguments.y == 0);
    const auto consider = [&](T got, Real exact) {
      if (exact == unspecified || (any_zero && got == 0 && exact == 0)) return;
      const double error = error_of(got, exact, row.least_ulp);
      if (error > worst) {
        worst = error;
        place = i;
      }
    };
    consider(first[i], wanted.first);
    consider(second[i], wanted.second);
  }
  char text[160];
  std::snprintf(text, sizeof text, "x = %a, y = %a, n = %d: %a, %a", double(samples.x[place]),
                double(samples.y[place]), samples.n[place], double(first[place]), double(second[place]));
  return {worst, text};
}

#define INSTANTIATE(T)                                                                                       \
  template Samples<T> samples_of_ranges(const Row&, std::size_t);                                            \
  template Samples<T> samples_for_errors(const Row&);                                                        \
  template Error largest_error(const Row&, const Samples<T>&, const std::vector<T>&, const std::vector<T>&);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(_Float16)

} // namespace bench::functions

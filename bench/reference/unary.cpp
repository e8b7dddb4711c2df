#include "bench/reference/unary.hpp"

#include "bench/reference/parallel.hpp"

#include <cmath>

namespace bench::reference {
namespace {

// C++ has no overload of this one.
float exp10_of(float x) {
  return ::exp10f(x);
}
double exp10_of(double x) {
  return ::exp10(x);
}

/// Exact next to its poles: both differences are.
double tanpi_of(double x) {
  const double rest = x - std::rint(x);
  return std::sin(M_PI * rest) / std::sin(M_PI * (0.5 - std::abs(rest)));
}

template <class T, class Function>
void for_each_element(std::span<T> out, std::span<const T> in, Function function) {
  parallel_for(in.size(), 1 << 16, [=](std::size_t first, std::size_t last) {
    T* const __restrict results = out.data();
    const T* const __restrict arguments = in.data();
    for (std::size_t i = first; i < last; ++i)
      results[i] = T(function(arguments[i]));
  });
}

template <class T, auto function>
void loop(std::span<T> out, std::span<const T> in) {
  for_each_element(out, in, function);
}

#define EXPECTED(expression) [](double x) -> double { return expression; }
#define LOOP(T, expression) loop<T, [](T x) { return expression; }>
constexpr UnaryFunction functions[] = {
#define UNARY(name, lowest, highest, expression)                                                             \
  {#name, lowest, highest, EXPECTED(expression), LOOP(float, expression), LOOP(double, expression)},
#define UNARY_OF_OPENCL(name, lowest, highest, expression)                                                   \
  {#name, lowest, highest, EXPECTED(expression), nullptr, nullptr},
#include "bench/reference/unary.inc"
};

} // namespace

std::span<const UnaryFunction> unary_functions() {
  return functions;
}

} // namespace bench::reference

#pragma once

// References in long double for rows that call several functions.

#include "tests/maths/reference.hpp"

namespace bench::functions {

using maths::Format, maths::Real, maths::Results;

inline Real trigonometry(Real x, Real y) {
  return std::sin(x) * std::cos(x) + std::pow(x, y) + std::tanh(x);
}

inline Real exp_log(Real x) {
  return std::exp(x) * std::log(x);
}

inline Real black_scholes(Real x, Real y) {
  const Real rate = 0.015625L, volatility = 0.3125L, years = y / 4, root = std::sqrt(Real(0.5));
  const Real deviation = volatility * std::sqrt(years);
  const Real d1 = (std::log(x / y) + (rate + volatility * volatility / 2) * years) / deviation;
  const Real d2 = d1 - deviation;
  return x / 2 * std::erfc(-d1 * root) - y / 2 * std::exp(-rate * years) * std::erfc(-d2 * root);
}

inline Results n_body(const Format&, Real x, Real y) {
  Results sum{0, 0};
  for (int k = 0; k < 16; ++k) {
    const Real u = k / Real(2) - x, v = k / Real(4) - y;
    const Real inverse = 1 / std::sqrt(u * u + v * v + 0.0625L), cube = inverse * inverse * inverse;
    sum.first += cube * u;
    sum.second += cube * v;
  }
  return sum;
}

inline Results twiddle(const Format&, Real x, Real n) {
  const Real angle = n * maths::reference::pi / 1024, c = std::cos(angle), s = std::sin(angle);
  return {x * c - (1 - x) * s, x * s + (1 - x) * c};
}

} // namespace bench::functions

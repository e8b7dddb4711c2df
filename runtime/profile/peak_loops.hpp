#pragma once

// The loops that measure the roofline. Each architecture compiles them for its widest vectors, in
// peak_loops_NAME.cpp.

#include <cstddef>

namespace hostcl::runtime::profile {

using Vector = float __attribute__((vector_size(64)));

/// Independent dependency chains: enough of them to hide the latency of an operation.
inline constexpr unsigned chains = 12;
inline constexpr unsigned flop_iterations = 40'000;

/// Does `flop_iterations` multiplications and additions in each lane of each chain.
float flops(float seed);

/// to = a + 3 b
void stream(Vector* to, const Vector* a, const Vector* b, std::size_t count);

[[gnu::always_inline]] inline float multiply_and_add(float seed) {
  Vector sums[chains];
  for (unsigned i = 0; i < chains; ++i)
    sums[i] = Vector{} + (seed + static_cast<float>(i));
  const Vector factor = Vector{} + 0.999F, term = Vector{} + seed;
  for (unsigned iteration = 0; iteration < flop_iterations; ++iteration) {
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < chains; ++i)
      sums[i] = sums[i] * factor + term;
  }
  Vector all{};
  for (const Vector& sum : sums)
    all += sum;
  return all[0] + all[7];
}

[[gnu::always_inline]] inline void triad(Vector* to, const Vector* a, const Vector* b, std::size_t count) {
  const Vector factor = Vector{} + 3.0F;
  for (std::size_t i = 0; i < count; ++i)
    to[i] = a[i] + factor * b[i];
}

} // namespace hostcl::runtime::profile

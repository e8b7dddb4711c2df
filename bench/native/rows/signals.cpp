#include "bench/native/work.hpp"

#include <cmath>
#include <numbers>

namespace bench::native {
namespace {

void fourier(Work& work) {
  const int n = work.number(1024, 64), transforms = work.number(1024, 5);
  std::vector<float> circle(n); // the first half of the n-th roots of one
  for (int k = 0; k < n / 2; ++k) {
    circle[2 * k] = float(std::cos(2 * std::numbers::pi * k / n));
    circle[2 * k + 1] = float(-std::sin(2 * std::numbers::pi * k / n));
  }
  const Array in = work.input(random_values<float>(2 * n * transforms, -1, 1)),
              out = work.result(std::vector<float>(2 * n * transforms)), roots = work.input(circle);
  const auto points = cl::Local(2 * sizeof(float) * n);
  work.launch("fourier", {{n / 2 * transforms}, {n / 2}}, in, out, roots, points, points, n);
}

void cosine_blocks(Work& work) {
  const int width = work.number(2048, 64), height = work.number(1024, 24);
  std::vector<float> cosines(64);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      cosines[y * 8 + x] =
          float((y == 0 ? std::sqrt(0.125) : 0.5) * std::cos((2 * x + 1) * y * std::numbers::pi / 16));
  const Array in = work.input(random_values<float>(width * height, 0, 255)),
              out = work.result(std::vector<float>(width * height)), matrix = work.input(cosines);
  work.launch("cosine_blocks", {{width, height}, {8, 8}}, in, out, matrix, width);
}

/// Seeds of random numbers, none of which is 0.
std::vector<cl_uint> seeds(int count) {
  Random random;
  std::vector<cl_uint> values(count);
  for (cl_uint& value : values)
    value = cl_uint(random.bits()) | 1;
  return values;
}

void option_paths(Work& work) {
  const int paths = work.number(20'000, 200), steps = work.number(50, 10);
  const Array seed = work.input(seeds(paths)), payoff = work.result(std::vector<float>(paths), 1e-3);
  work.launch("option_paths", {{paths}}, seed, payoff, steps, 0.0001f, 0.02f);
}

void points_in_circle(Work& work) {
  const int items = work.number(20'000, 200), points = work.number(500, 50);
  const Array seed = work.input(seeds(items)), inside = work.result(std::vector<int>(items));
  work.launch("points_in_circle", {{items}}, seed, inside, points);
}

} // namespace

std::span<const Row> signal_rows() {
  static constexpr Row rows[] = {
      {"fourier", "Fourier transforms of 1024 points", "signals.cl", fourier},
      {"cosine_blocks", "cosine transform of 8×8 blocks", "signals.cl", cosine_blocks},
      {"option_paths", "Monte Carlo: prices of options", "signals.cl", option_paths},
      {"points_in_circle", "Monte Carlo: points in a circle", "signals.cl", points_in_circle},
  };
  return rows;
}

} // namespace bench::native

#include "bench/native/work.hpp"

namespace bench::native {
namespace {

std::vector<float> field(int cells, std::uint64_t seed = 1) {
  return random_values<float>(cells, 0, 1, seed);
}

void jacobi2d(Work& work) {
  const int n = work.number(1300, 70), steps = work.number(10, 2);
  const Array a = work.result(field(n * n)), b = work.result(field(n * n));
  for (int step = 0; step < steps; ++step) {
    work.launch("jacobi2d", {{n, n}}, a, b, n);
    work.launch("jacobi2d", {{n, n}}, b, a, n);
  }
}

void hotspot(Work& work) {
  const int width = work.number(1024, 64), height = work.number(1024, 48), steps = work.number(10, 2);
  const Array power = work.input(field(width * height, 2));
  const Array a = work.result(random_values<float>(width * height, 70, 90)),
              b = work.result(std::vector<float>(width * height));
  const Grid grid = {{width, height}, {16, 16}};
  for (int step = 0; step < steps; ++step) {
    work.launch("hotspot", grid, power, a, b, width, height);
    work.launch("hotspot", grid, power, b, a, width, height);
  }
}

void fdtd2d(Work& work) {
  const int n = work.number(1000, 50), steps = work.number(10, 3);
  const Array ex = work.result(field(n * n, 1)), ey = work.result(field(n * n, 2)),
              hz = work.result(field(n * n, 3));
  for (int step = 0; step < steps; ++step) {
    work.launch("fdtd2d_ey", {{n, n}}, ey, hz, n, step);
    work.launch("fdtd2d_ex", {{n, n}}, ex, hz, n);
    work.launch("fdtd2d_hz", {{n, n}}, ex, ey, hz, n);
  }
}

void convolution2d(Work& work) {
  const int width = work.number(4096, 96), height = work.number(2048, 40);
  const Array in = work.input(field(width * height)), out = work.result(std::vector<float>(width * height));
  work.launch("convolution2d", {{width, height}, {32, 8}}, in, out, width, height);
}

void convolution3d(Work& work) {
  const int n = work.number(256, 20);
  const Array in = work.input(field(n * n * n)), out = work.result(std::vector<float>(n * n * n));
  work.launch("convolution3d", {{n, n, n}}, in, out, n);
}

void heat3d(Work& work) {
  const int n = work.number(160, 20), steps = work.number(3, 2);
  const Array a = work.result(field(n * n * n, 1)), b = work.result(field(n * n * n, 2));
  for (int step = 0; step < steps; ++step) {
    work.launch("heat3d", {{n, n, n}}, a, b, n);
    work.launch("heat3d", {{n, n, n}}, b, a, n);
  }
}

} // namespace

std::span<const Row> stencil_rows() {
  static constexpr Row rows[] = {
      {"jacobi2d", "five points, guarded", "stencils.cl", jacobi2d},
      {"hotspot", "five points, clamped edges", "stencils.cl", hotspot},
      {"fdtd2d", "electromagnetic field, three kernels a step", "stencils.cl", fdtd2d},
      {"convolution2d", "3×3 convolution", "stencils.cl", convolution2d},
      {"convolution3d", "3×3×3 convolution", "stencils.cl", convolution3d},
      {"heat3d", "seven points in three dimensions", "stencils.cl", heat3d},
  };
  return rows;
}

} // namespace bench::native

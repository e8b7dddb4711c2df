#include "bench/native/code/code.hpp"

#include <tbb/parallel_for.h>
#include <utility>

namespace bench::native {
namespace {

void jacobi2d_row(const float* __restrict from, float* __restrict to, int n) {
  for (int x = 1; x < n - 1; ++x)
    to[x] = 0.2f * (from[x] + from[x - 1] + from[x + 1] + from[x - n] + from[x + n]);
}

void jacobi2d(float* a, float* b, int n, int steps) {
  for (int step = 0; step < 2 * steps; ++step, std::swap(a, b))
    tbb::parallel_for(1, n - 1, [=](int y) { jacobi2d_row(a + y * n, b + y * n, n); });
}

void hotspot_row(const float* __restrict power, const float* __restrict from, float* __restrict to, int width,
                 int up, int down) {
  const auto cell = [=](int x, int left, int right) {
    const float centre = from[x];
    to[x] = centre + 0.1f * (power[x] + (from[x + up] + from[x + down] - 2 * centre) * 0.5f +
                             (from[x + left] + from[x + right] - 2 * centre) * 0.25f + (80 - centre) * 0.01f);
  };
  cell(0, 0, 1);
  for (int x = 1; x < width - 1; ++x)
    cell(x, -1, 1);
  cell(width - 1, -1, 0);
}

void hotspot(const float* power, float* a, float* b, int width, int height, int steps) {
  for (int step = 0; step < 2 * steps; ++step, std::swap(a, b))
    tbb::parallel_for(0, height, [=](int y) {
      hotspot_row(power + y * width, a + y * width, b + y * width, width, y == 0 ? 0 : -width,
                  y == height - 1 ? 0 : width);
    });
}

/// to -= factor * (high - low), for `count` cells.
void subtract_slope(float* __restrict to, const float* __restrict high, const float* __restrict low,
                    float factor, int count) {
  for (int x = 0; x < count; ++x)
    to[x] -= factor * (high[x] - low[x]);
}

void fdtd2d_hz(const float* __restrict ex, const float* __restrict ey, float* __restrict hz, int n) {
  for (int x = 0; x < n - 1; ++x)
    hz[x] -= 0.7f * (ex[x + 1] - ex[x] + ey[x + n] - ey[x]);
}

void fdtd2d(float* ex, float* ey, float* hz, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    tbb::parallel_for(0, n, [=](int y) {
      float* row = ey + y * n;
      if (y == 0)
        std::fill(row, row + n, float(step));
      else
        subtract_slope(row, hz + y * n, hz + (y - 1) * n, 0.5f, n);
      subtract_slope(ex + y * n + 1, hz + y * n + 1, hz + y * n, 0.5f, n - 1);
    });
    tbb::parallel_for(0, n - 1, [=](int y) { fdtd2d_hz(ex + y * n, ey + y * n, hz + y * n, n); });
  }
}

void convolution2d_row(const float* __restrict in, float* __restrict out, int width) {
  for (int x = 1; x < width - 1; ++x)
    out[x] = 0.2f * in[x - width - 1] + 0.5f * in[x - width] - 0.8f * in[x - width + 1] - 0.3f * in[x - 1] +
             0.6f * in[x] - 0.9f * in[x + 1] + 0.4f * in[x + width - 1] + 0.7f * in[x + width] +
             0.1f * in[x + width + 1];
}

void convolution2d(const float* in, float* out, int width, int height) {
  tbb::parallel_for(1, height - 1, [=](int y) { convolution2d_row(in + y * width, out + y * width, width); });
}

void convolution3d_row(const float* __restrict in, float* __restrict out, int n) {
  for (int x = 1; x < n - 1; ++x) {
    const auto at = [=](int dz, int dy, int dx) { return in[(dz * n + dy) * n + x + dx]; };
    out[x] = 2 * at(-1, -1, -1) + 4 * at(1, -1, -1) + 5 * at(-1, 0, -1) + 7 * at(1, 0, -1) -
             8 * at(-1, 1, -1) + 10 * at(1, 1, -1) - 3 * at(0, -1, 0) + 6 * at(0, 0, 0) - 9 * at(0, 1, 0) +
             2 * at(-1, -1, 1) + 4 * at(1, -1, 1) + 5 * at(-1, 0, 1) + 7 * at(1, 0, 1) - 8 * at(-1, 1, 1) +
             10 * at(1, 1, 1);
  }
}

void convolution3d(const float* in, float* out, int n) {
  tbb::parallel_for(1, n - 1, [=](int z) {
    for (int y = 1; y < n - 1; ++y)
      convolution3d_row(in + (z * n + y) * n, out + (z * n + y) * n, n);
  });
}

void heat3d_row(const float* __restrict from, float* __restrict to, int n) {
  for (int x = 1; x < n - 1; ++x)
    to[x] = from[x] + 0.125f * (from[x - 1] + from[x + 1] + from[x - n] + from[x + n] + from[x - n * n] +
                                from[x + n * n] - 6 * from[x]);
}

void heat3d(float* a, float* b, int n, int steps) {
  for (int step = 0; step < 2 * steps; ++step, std::swap(a, b))
    tbb::parallel_for(1, n - 1, [=](int z) {
      for (int y = 1; y < n - 1; ++y)
        heat3d_row(a + (z * n + y) * n, b + (z * n + y) * n, n);
    });
}

const Registered rows(NATIVE_COMPILER, {entry<jacobi2d>("jacobi2d"), entry<hotspot>("hotspot"),
                                        entry<fdtd2d>("fdtd2d"), entry<convolution2d>("convolution2d"),
                                        entry<convolution3d>("convolution3d"), entry<heat3d>("heat3d")});

} // namespace
} // namespace bench::native

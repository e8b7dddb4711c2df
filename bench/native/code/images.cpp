#include "bench/native/code/code.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace bench::native {
namespace {

using Byte = unsigned char;

void sobel_row(const Byte* __restrict in, Byte* __restrict out, int width) {
  for (int x = 1; x < width - 1; ++x) {
    const Byte* at = in + x;
    const int dx = at[1 - width] + 2 * at[1] + at[1 + width] - at[-1 - width] - 2 * at[-1] - at[-1 + width];
    const int dy =
        at[width - 1] + 2 * at[width] + at[width + 1] - at[-width - 1] - 2 * at[-width] - at[-width + 1];
    out[x] = Byte(std::min(std::abs(dx) + std::abs(dy), 255));
  }
}

void sobel(const Byte* in, Byte* out, int width, int height) {
  tbb::parallel_for(1, height - 1, [=](int y) { sobel_row(in + y * width, out + y * width, width); });
}

/// out += weight * in
void add_multiple(float* __restrict out, const float* __restrict in, float weight, int count) {
  for (int x = 0; x < count; ++x)
    out[x] += weight * in[x];
}

void gauss_row(const float* in, float* out, const float* weights, int radius, int width) {
  const auto at_edge = [=](int x) {
    out[x] = 0;
    for (int k = -radius; k <= radius; ++k)
      out[x] += weights[k + radius] * in[std::clamp(x + k, 0, width - 1)];
  };
  for (int x = 0; x < radius; ++x)
    at_edge(x);
  std::fill(out + radius, out + width - radius, 0.0f);
  for (int k = -radius; k <= radius; ++k)
    add_multiple(out + radius, in + radius + k, weights[k + radius], width - 2 * radius);
  for (int x = width - radius; x < width; ++x)
    at_edge(x);
}

void gauss(const float* in, float* half_way, float* out, const float* weights, int width, int height,
           int radius) {
  tbb::parallel_for(0, height,
                    [=](int y) { gauss_row(in + y * width, half_way + y * width, weights, radius, width); });
  tbb::parallel_for(0, height, [=](int y) {
    float* row = out + y * width;
    std::fill(row, row + width, 0.0f);
    for (int k = -radius; k <= radius; ++k)
      add_multiple(row, half_way + std::clamp(y + k, 0, height - 1) * width, weights[k + radius], width);
  });
}

void order(Byte& a, Byte& b) {
  const Byte low = std::min(a, b);
  b = std::max(a, b);
  a = low;
}

void median_row(const Byte* __restrict in, Byte* __restrict out, int width) {
#pragma omp simd
  for (int x = 1; x < width - 1; ++x) {
    const Byte *up = in + x - width, *at = in + x, *down = in + x + width;
    Byte a = up[-1], b = up[0], c = up[1], d = at[-1], e = at[0], f = at[1], g = down[-1], h = down[0],
         i = down[1];
    order(b, c), order(e, f), order(h, i), order(a, b), order(d, e), order(g, h), order(b, c), order(e, f),
        order(h, i);
    order(a, d), order(f, i), order(e, h), order(d, g), order(b, e), order(c, f), order(e, h), order(e, c),
        order(g, e);
    order(e, c);
    out[x] = e;
  }
}

void median3(const Byte* in, Byte* out, int width, int height) {
  tbb::parallel_for(1, height - 1, [=](int y) { median_row(in + y * width, out + y * width, width); });
}

float bilateral_cell(const float* in, int x, int y, int width, int height, int radius) {
  const float centre = in[y * width + x];
  float sum = 0, weights = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      const float value = in[std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, 0, width - 1)];
      const float weight =
          std::exp(-0.05f * float(dx * dx + dy * dy) - 8 * (value - centre) * (value - centre));
      sum += weight * value;
      weights += weight;
    }
  return sum / weights;
}

void bilateral(const float* in, float* out, int width, int height, int radius) {
  tbb::parallel_for(0, height, [=](int y) {
    for (int x = 0; x < width; ++x)
      out[y * width + x] = bilateral_cell(in, x, y, width, height, radius);
  });
}

void grey_cells(const Byte* __restrict rgb, Byte* __restrict out, int first, int last) {
  for (int i = first; i < last; ++i)
    out[i] = Byte((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2]) >> 8);
}

void grey(const Byte* rgb, Byte* out, int n) {
  tbb::parallel_for(tbb::blocked_range<int>(0, n, 16384),
                    [=](const auto& range) { grey_cells(rgb, out, range.begin(), range.end()); });
}

const Registered rows(NATIVE_COMPILER,
                      {entry<sobel>("sobel"), entry<gauss>("gauss"), entry<median3>("median3"),
                       entry<bilateral>("bilateral"), entry<grey>("grey")});

} // namespace
} // namespace bench::native

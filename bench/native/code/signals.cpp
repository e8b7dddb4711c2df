#include "bench/native/code/code.hpp"

#include <algorithm>
#include <cmath>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <utility>

namespace bench::native {
namespace {

struct Complex {
  float real, imaginary;
};

/// `span` butterflies side by side, whose roots are `stride` apart.
void butterflies(const Complex* __restrict low, const Complex* __restrict high, Complex* __restrict to,
                 const Complex* __restrict roots, int span, int stride) {
  for (int k = 0; k < span; ++k) {
    const Complex root = roots[k * stride];
    const Complex turned = {high[k].real * root.real - high[k].imaginary * root.imaginary,
                            high[k].real * root.imaginary + high[k].imaginary * root.real};
    to[k] = {low[k].real + turned.real, low[k].imaginary + turned.imaginary};
    to[k + span] = {low[k].real - turned.real, low[k].imaginary - turned.imaginary};
  }
}

constexpr int most_points = 2048;

void fourier_of_one(const Complex* in, Complex* out, const Complex* roots, int n) {
  Complex first[most_points], second[most_points];
  Complex *a = first, *b = second;
  std::copy_n(in, n, a);
  for (int span = 1; span < n; span *= 2, std::swap(a, b))
    for (int i = 0; i < n / 2; i += span)
      butterflies(a + i, a + i + n / 2, b + 2 * i, roots, span, n / 2 / span);
  std::copy_n(a, n, out);
}

void fourier(const Complex* in, Complex* out, const Complex* roots, int n, int transforms) {
  tbb::parallel_for(0, transforms, [=](int i) { fourier_of_one(in + i * n, out + i * n, roots, n); });
}

void cosine_block(const float* in, float* out, const float* matrix, int width) {
  float half_way[8][8];
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x)
      half_way[y][x] = 0;
    for (int k = 0; k < 8; ++k)
      for (int x = 0; x < 8; ++x)
        half_way[y][x] += matrix[y * 8 + k] * in[k * width + x];
  }
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      float sum = 0;
      for (int k = 0; k < 8; ++k)
        sum += half_way[y][k] * matrix[x * 8 + k];
      out[y * width + x] = sum;
    }
}

void cosine_blocks(const float* in, float* out, const float* matrix, int width, int height) {
  tbb::parallel_for(0, height / 8, [=](int row) {
    for (int x = 0; x < width; x += 8)
      cosine_block(in + row * 8 * width + x, out + row * 8 * width + x, matrix, width);
  });
}

unsigned next_random(unsigned state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^ (state << 5);
}

float price_after(unsigned state, int steps) {
  float price = 100;
  for (int step = 0; step < steps; ++step) {
    state = next_random(state);
    const float u = (float(state >> 8) + 0.5f) * 0x1p-24f;
    state = next_random(state);
    const float angle = float(state >> 8) * (6.2831853f * 0x1p-24f);
    price *= std::exp(0.0001f + 0.02f * std::sqrt(-2 * std::log(u)) * std::cos(angle));
  }
  return price;
}

void option_paths(const unsigned* seeds, float* payoff, int paths, int steps) {
  tbb::parallel_for(tbb::blocked_range<int>(0, paths, 64), [=](const auto& range) {
    for (int i = range.begin(); i < range.end(); ++i)
      payoff[i] = std::max(price_after(seeds[i], steps) - 100, 0.0f);
  });
}

int inside_circle(unsigned state, int points) {
  int count = 0;
  for (int k = 0; k < points; ++k) {
    state = next_random(state);
    const float x = float(state >> 8) * 0x1p-24f;
    state = next_random(state);
    const float y = float(state >> 8) * 0x1p-24f;
    count += x * x + y * y < 1;
  }
  return count;
}

void points_in_circle(const unsigned* seeds, int* inside, int items, int points) {
  tbb::parallel_for(tbb::blocked_range<int>(0, items, 64), [=](const auto& range) {
    for (int i = range.begin(); i < range.end(); ++i)
      inside[i] = inside_circle(seeds[i], points);
  });
}

const Registered rows(NATIVE_COMPILER,
                      {entry<fourier>("fourier"), entry<cosine_blocks>("cosine_blocks"),
                       entry<option_paths>("option_paths"), entry<points_in_circle>("points_in_circle")});

} // namespace
} // namespace bench::native

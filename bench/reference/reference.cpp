#include "bench/reference/reference.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

namespace bench::reference {
namespace {

using Range = tbb::blocked_range<std::size_t>;

} // namespace

void triad(std::span<float> a, std::span<const float> b, std::span<const float> c, float factor) {
  tbb::parallel_for(Range(0, a.size(), 1 << 16), [=](const Range& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i)
      a[i] = b[i] + factor * c[i];
  });
}

// Row by row of b, so that the innermost loop runs over consecutive elements and vectorises.
void sgemm(std::span<float> c, std::span<const float> a, std::span<const float> b, std::size_t size) {
  tbb::parallel_for(Range(0, size), [=](const Range& rows) {
    for (std::size_t row = rows.begin(); row < rows.end(); ++row) {
      float* const result = &c[row * size];
      for (std::size_t column = 0; column < size; ++column)
        result[column] = 0;
      for (std::size_t k = 0; k < size; ++k) {
        const float factor = a[row * size + k];
        const float* const other = &b[k * size];
        for (std::size_t column = 0; column < size; ++column)
          result[column] += factor * other[column];
      }
    }
  });
}

void mandelbrot(std::span<std::uint32_t> iterations, std::size_t size, std::uint32_t limit) {
  tbb::parallel_for(Range(0, size), [=](const Range& rows) {
    for (std::size_t row = rows.begin(); row < rows.end(); ++row)
      for (std::size_t column = 0; column < size; ++column) {
        const float cx = -2.0f + 3.0f * float(column) / float(size);
        const float cy = -1.5f + 3.0f * float(row) / float(size);
        float x = 0, y = 0;
        std::uint32_t i = 0;
        while (i < limit && x * x + y * y <= 4.0f) {
          const float next_x = x * x - y * y + cx;
          y = 2.0f * x * y + cy;
          x = next_x;
          ++i;
        }
        iterations[row * size + column] = i;
      }
  });
}

std::vector<std::uint32_t> histogram(std::span<const std::uint8_t> bytes) {
  using Bins = std::array<std::uint32_t, 256>;
  const Bins bins = tbb::parallel_reduce(
      Range(0, bytes.size(), 1 << 18), Bins{},
      [=](const Range& range, Bins own) {
        for (std::size_t i = range.begin(); i < range.end(); ++i)
          ++own[bytes[i]];
        return own;
      },
      [](Bins left, const Bins& right) {
        for (std::size_t i = 0; i < left.size(); ++i)
          left[i] += right[i];
        return left;
      });
  return {bins.begin(), bins.end()};
}

std::vector<std::uint32_t> histogram_atomic(std::span<const std::uint8_t> bytes) {
  std::array<std::atomic<std::uint32_t>, 256> bins{};
  tbb::parallel_for(Range(0, bytes.size(), 1 << 16), [&](const Range& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i)
      bins[bytes[i]].fetch_add(1, std::memory_order_relaxed);
  });
  return {bins.begin(), bins.end()};
}

} // namespace bench::reference

#include "bench/reference/reference.hpp"

#include "bench/reference/parallel.hpp"

#include <array>
#include <atomic>
#include <mutex>

namespace bench::reference {

void triad(std::span<float> a, std::span<const float> b, std::span<const float> c, float factor) {
  parallel_for(a.size(), 1 << 16, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      a[i] = b[i] + factor * c[i];
  });
}

// Row by row of b, so that the innermost loop runs over consecutive elements and vectorises.
void sgemm(std::span<float> c, std::span<const float> a, std::span<const float> b, std::size_t size) {
  parallel_for(size, 4, [=](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row) {
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
  parallel_for(size, 4, [=](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row)
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
  std::vector<std::uint32_t> bins(256);
  std::mutex mutex;
  parallel_for(bytes.size(), 1 << 20, [&](std::size_t first, std::size_t last) {
    std::array<std::uint32_t, 256> own{};
    for (std::size_t i = first; i < last; ++i)
      ++own[bytes[i]];
    const std::scoped_lock lock(mutex);
    for (std::size_t bin = 0; bin < own.size(); ++bin)
      bins[bin] += own[bin];
  });
  return bins;
}

std::vector<std::uint32_t> histogram_atomic(std::span<const std::uint8_t> bytes) {
  std::array<std::atomic<std::uint32_t>, 256> bins{};
  parallel_for(bytes.size(), 1 << 16, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      bins[bytes[i]].fetch_add(1, std::memory_order_relaxed);
  });
  return {bins.begin(), bins.end()};
}

} // namespace bench::reference

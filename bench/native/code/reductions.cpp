#include "bench/native/code/code.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>

namespace bench::native {
namespace {

using Range = tbb::blocked_range<int>;

void dot(const float* a, const float* b, float* result, int n) {
  result[0] = tbb::parallel_reduce(
      Range(0, n, 4096), 0.0f,
      [=](const Range& range, float sum) {
#pragma omp simd reduction(+ : sum)
        for (int i = range.begin(); i < range.end(); ++i)
          sum += a[i] * b[i];
        return sum;
      },
      std::plus<>());
}

void maximum(const int* values, int* largest, int n) {
  largest[0] = tbb::parallel_reduce(
      Range(0, n, 4096), std::numeric_limits<int>::min(),
      [=](const Range& range, int most) {
        for (int i = range.begin(); i < range.end(); ++i)
          most = std::max(most, values[i]);
        return most;
      },
      [](int a, int b) { return std::max(a, b); });
}

void scan(const int* in, int* out, int n) {
  tbb::parallel_scan(
      Range(0, n, 4096), 0,
      [=](const Range& range, int sum, bool is_final) {
        for (int i = range.begin(); i < range.end(); ++i) {
          sum += in[i];
          if (is_final) out[i] = sum;
        }
        return sum;
      },
      std::plus<>());
}

using Counts = std::array<int, 256>;

void histogram(const unsigned char* data, int* bins, int n) {
  tbb::combinable<Counts> counts([] { return Counts{}; });
  tbb::parallel_for(Range(0, n, 16384), [&](const Range& range) {
    Counts& mine = counts.local();
    for (int i = range.begin(); i < range.end(); ++i)
      ++mine[data[i]];
  });
  counts.combine_each(
      [=](const Counts& part) { std::transform(part.begin(), part.end(), bins, bins, std::plus<>()); });
}

const Registered rows(NATIVE_COMPILER, {entry<dot>("dot"), entry<maximum>("maximum"), entry<scan>("scan"),
                                        entry<histogram>("histogram")});

} // namespace
} // namespace bench::native

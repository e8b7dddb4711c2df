#include "bench/native/code/code.hpp"

#include <algorithm>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace bench::native {
namespace {

void triad_cells(float* __restrict a, const float* __restrict b, const float* __restrict c, int first,
                 int last) {
  for (int i = first; i < last; ++i)
    a[i] = b[i] + 0.4f * c[i];
}

void triad(float* a, const float* b, const float* c, int n) {
  tbb::parallel_for(tbb::blocked_range<int>(0, n, 16384),
                    [=](const auto& range) { triad_cells(a, b, c, range.begin(), range.end()); });
}

void transpose(const float* in, float* out, int width, int height) {
  tbb::parallel_for(0, height / 16, [=](int band) {
    for (int left = 0; left < width; left += 16)
      for (int x = left; x < left + 16; ++x)
        for (int y = band * 16; y < band * 16 + 16; ++y)
          out[x * height + y] = in[y * width + x];
  });
}

void add_scaled(float* __restrict y, const float* __restrict x, float factor, int n) {
  for (int i = 0; i < n; ++i)
    y[i] += factor * x[i];
}

void small_launches(float* y, const float* x, int n, int launches) {
  for (int launch = 0; launch < launches; ++launch)
    tbb::parallel_for(tbb::blocked_range<int>(0, n, 4096), [=](const auto& range) {
      add_scaled(y + range.begin(), x + range.begin(), launch % 2 ? -0.5f : 0.75f, int(range.size()));
    });
}

const Registered rows(NATIVE_COMPILER, {entry<triad>("triad"), entry<transpose>("transpose"),
                                        entry<small_launches>("small_launches")});

} // namespace
} // namespace bench::native

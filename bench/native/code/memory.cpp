#include "bench/native/code/code.hpp"

#include <algorithm>
#include <cstring>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

void image_copy(const unsigned* in, unsigned* out, int side) {
  tbb::parallel_for(tbb::blocked_range<int>(0, side * side, 16384), [=](const auto& range) {
    std::memcpy(out + range.begin(), in + range.begin(), range.size() * sizeof(unsigned));
  });
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

const Registered rows(NATIVE_COMPILER,
                      {entry<triad>("triad"), entry<transpose>("transpose"), entry<image_copy>("image_copy"),
                       entry<image_copy>("image_copy_uint"), entry<image_copy>("image_copy_large"),
                       entry<image_copy>("image_copy_large_uint"), entry<small_launches>("small_launches")});

#ifdef __SSE2__

/// Calls `write(i)` for the index i of each of `count` vectors of 16 bytes. `write` must use non-temporal stores.
template <class Write>
void stream(int count, Write write) {
  tbb::parallel_for(tbb::blocked_range<int>(0, count, 4096), [=](const auto& range) {
    for (int i = range.begin(); i < range.end(); ++i)
      write(i);
    _mm_sfence();
  });
}

void triad_streaming(float* a, const float* b, const float* c, int n) {
  stream(n / 4, [=](int i) {
    const __m128 sum =
        _mm_add_ps(_mm_load_ps(b + 4 * i), _mm_mul_ps(_mm_set1_ps(0.4f), _mm_load_ps(c + 4 * i)));
    _mm_stream_ps(a + 4 * i, sum);
  });
}

void image_copy_streaming(const __m128i* in, __m128i* out, int side) {
  stream(side * side / 4, [=](int i) { _mm_stream_si128(out + i, _mm_load_si128(in + i)); });
}

const Registered streaming("streaming stores, " NATIVE_COMPILER,
                           {entry<triad_streaming>("triad"), entry<image_copy_streaming>("image_copy"),
                            entry<image_copy_streaming>("image_copy_uint"),
                            entry<image_copy_streaming>("image_copy_large"),
                            entry<image_copy_streaming>("image_copy_large_uint")});

#endif

} // namespace
} // namespace bench::native

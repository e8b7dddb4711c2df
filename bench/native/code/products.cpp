#include "bench/native/code/code.hpp"

#include <algorithm>
#include <cmath>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace bench::native {
namespace {

float dot(const float* __restrict a, const float* __restrict b, int n) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// to += factor * from
void add_multiple(float* __restrict to, const float* __restrict from, float factor, int n) {
  for (int i = 0; i < n; ++i)
    to[i] += factor * from[i];
}

void gemm(const float* a, const float* b, float* c, int n) {
  tbb::parallel_for(0, n, [=](int i) {
    for (int j = 0; j < n; ++j)
      c[i * n + j] *= 0.5f;
    for (int k = 0; k < n; ++k)
      add_multiple(c + i * n, b + k * n, 1.5f * a[i * n + k], n);
  });
}

void syr2k(const float* a, const float* b, float* c, int n) {
  tbb::parallel_for(0, n, [=](int i) {
    for (int j = 0; j < n; ++j)
      c[i * n + j] =
          c[i * n + j] * 0.5f + 1.5f * (dot(a + i * n, b + j * n, n) + dot(b + i * n, a + j * n, n));
  });
}

void trmm(const float* a, const float* b, float* out, int n) {
  tbb::parallel_for(0, n, [=](int i) {
    std::copy_n(b + i * n, n, out + i * n);
    for (int k = 0; k < i; ++k)
      add_multiple(out + i * n, b + k * n, a[i * n + k], n);
  });
}

void times_vector(const float* a, const float* x, float* y, int rows, int columns) {
  tbb::parallel_for(0, rows, [=](int i) { y[i] = dot(a + i * columns, x, columns); });
}

void transposed_times_vector(const float* a, const float* x, float* y, int rows, int columns) {
  tbb::parallel_for(tbb::blocked_range<int>(0, columns, 256), [=](const auto& range) {
    std::fill(y + range.begin(), y + range.end(), 0.0f);
    for (int i = 0; i < rows; ++i)
      add_multiple(y + range.begin(), a + i * columns + range.begin(), x[i], int(range.size()));
  });
}

void atax(const float* a, const float* x, float* product, float* y, int rows, int columns) {
  times_vector(a, x, product, rows, columns);
  transposed_times_vector(a, product, y, rows, columns);
}

void bicg(const float* a, const float* p, const float* r, float* q, float* s, int rows, int columns) {
  times_vector(a, p, q, rows, columns);
  transposed_times_vector(a, r, s, rows, columns);
}

/// Mean and deviation of some columns.
void mean_and_deviation(const float* data, float* __restrict mean, float* __restrict deviation, int rows,
                        int columns, int count) {
  std::fill(mean, mean + count, 0.0f);
  std::fill(deviation, deviation + count, 0.0f);
  for (int i = 0; i < rows; ++i)
    add_multiple(mean, data + i * columns, 1, count);
  for (int j = 0; j < count; ++j)
    mean[j] /= float(rows);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < count; ++j)
      deviation[j] += (data[i * columns + j] - mean[j]) * (data[i * columns + j] - mean[j]);
  for (int j = 0; j < count; ++j)
    deviation[j] = std::sqrt(deviation[j] / float(rows));
}

/// result = factor * dataᵀ * data, symmetric
void products_of_columns(const float* data, float* result, float factor, int rows, int columns) {
  tbb::parallel_for(0, columns, [=](int first) {
    float* row = result + first * columns;
    std::fill(row + first, row + columns, 0.0f);
    for (int i = 0; i < rows; ++i)
      add_multiple(row + first, data + i * columns + first, factor * data[i * columns + first],
                   columns - first);
    for (int second = first + 1; second < columns; ++second)
      result[second * columns + first] = row[second];
  });
}

void covariance(float* data, float* mean, float* result, int rows, int columns) {
  tbb::parallel_for(tbb::blocked_range<int>(0, columns, 64), [=](const auto& range) {
    std::fill(mean + range.begin(), mean + range.end(), 0.0f);
    for (int i = 0; i < rows; ++i)
      add_multiple(mean + range.begin(), data + i * columns + range.begin(), 1.0f / float(rows),
                   int(range.size()));
  });
  tbb::parallel_for(0, rows, [=](int i) {
    for (int j = 0; j < columns; ++j)
      data[i * columns + j] -= mean[j];
  });
  products_of_columns(data, result, 1.0f / float(rows - 1), rows, columns);
}

void correlation(float* data, float* mean, float* deviation, float* result, int rows, int columns) {
  tbb::parallel_for(tbb::blocked_range<int>(0, columns, 64), [=](const auto& range) {
    const int first = range.begin();
    mean_and_deviation(data + first, mean + first, deviation + first, rows, columns, int(range.size()));
  });
  tbb::parallel_for(0, rows, [=](int i) {
    for (int j = 0; j < columns; ++j)
      data[i * columns + j] = (data[i * columns + j] - mean[j]) / (std::sqrt(float(rows)) * deviation[j]);
  });
  products_of_columns(data, result, 1, rows, columns);
  for (int j = 0; j < columns; ++j)
    result[j * columns + j] = 1;
}

void gramschmidt_rest(float* a, float* r, const float* q, int n, int k, int first, int count) {
  float* sums = r + k * n + first;
  std::fill(sums, sums + count, 0.0f);
  for (int i = 0; i < n; ++i)
    add_multiple(sums, a + i * n + first, q[i * n + k], count);
  for (int i = 0; i < n; ++i)
    add_multiple(a + i * n + first, sums, -q[i * n + k], count);
}

void gramschmidt(float* a, float* r, float* q, int n) {
  for (int k = 0; k < n; ++k) {
    float sum = 0;
    for (int i = 0; i < n; ++i)
      sum += a[i * n + k] * a[i * n + k];
    r[k * n + k] = std::sqrt(sum);
    for (int i = 0; i < n; ++i)
      q[i * n + k] = a[i * n + k] / r[k * n + k];
    tbb::parallel_for(tbb::blocked_range<int>(k + 1, n, 64), [=](const auto& range) {
      gramschmidt_rest(a, r, q, n, k, range.begin(), int(range.size()));
    });
  }
}

void gaussian(float* a, float* m, int n) {
  for (int t = 0; t < n - 1; ++t)
    tbb::parallel_for(tbb::blocked_range<int>(t + 1, n, 16), [=](const auto& range) {
      for (int i = range.begin(); i < range.end(); ++i) {
        const float factor = a[i * n + t] / a[t * n + t];
        m[i * n + t] = factor;
        add_multiple(a + i * n + t, a + t * n + t, -factor, n - t);
      }
    });
}

const Registered rows(NATIVE_COMPILER, {entry<gemm>("gemm"), entry<syr2k>("syr2k"), entry<trmm>("trmm"),
                                        entry<atax>("atax"), entry<bicg>("bicg"),
                                        entry<covariance>("covariance"), entry<correlation>("correlation"),
                                        entry<gramschmidt>("gramschmidt"), entry<gaussian>("gaussian")});

} // namespace
} // namespace bench::native

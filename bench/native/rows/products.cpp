#include "bench/native/work.hpp"

namespace bench::native {
namespace {

constexpr float alpha = 1.5f, beta = 0.5f;

std::vector<float> matrix(int rows, int columns, std::uint64_t seed) {
  return random_values<float>(rows * columns, 0, 1, seed);
}

void gemm(Work& work) {
  const int n = work.number(512, 48);
  const Array a = work.input(matrix(n, n, 1)), b = work.input(matrix(n, n, 2)),
              c = work.result(matrix(n, n, 3));
  work.launch("gemm", {{n, n}, {16, 16}}, a, b, c, n, alpha, beta);
}

void syr2k(Work& work) {
  const int n = work.number(400, 48);
  const Array a = work.input(matrix(n, n, 1)), b = work.input(matrix(n, n, 2)),
              c = work.result(matrix(n, n, 3));
  work.launch("syr2k", {{n, n}}, a, b, c, n, alpha, beta);
}

void trmm(Work& work) {
  const int n = work.number(512, 48);
  const Array a = work.input(matrix(n, n, 1)), b = work.input(matrix(n, n, 2)),
              out = work.result(matrix(n, n, 3));
  work.launch("trmm", {{n, n}}, a, b, out, n);
}

void atax(Work& work) {
  const int rows = work.number(4000, 60), columns = work.number(4096, 70);
  const Array a = work.input(matrix(rows, columns, 1)), x = work.input(matrix(1, columns, 2)),
              product = work.scratch<float>(rows), y = work.result(std::vector<float>(columns));
  work.launch("atax_rows", {{rows}}, a, x, product, rows, columns);
  work.launch("atax_columns", {{columns}}, a, product, y, rows, columns);
}

void bicg(Work& work) {
  const int rows = work.number(4000, 60), columns = work.number(4096, 70);
  const Array a = work.input(matrix(rows, columns, 1)), p = work.input(matrix(1, columns, 2)),
              r = work.input(matrix(1, rows, 3)), q = work.result(std::vector<float>(rows)),
              s = work.result(std::vector<float>(columns));
  work.launch("atax_rows", {{rows}}, a, p, q, rows, columns);
  work.launch("atax_columns", {{columns}}, a, r, s, rows, columns);
}

void correlation(Work& work) {
  const int rows = work.number(600, 40), columns = work.number(512, 48);
  const Array data = work.result(matrix(rows, columns, 1), 1e-4), mean = work.scratch<float>(columns),
              deviation = work.scratch<float>(columns),
              result = work.result(std::vector<float>(columns * columns), 1e-4);
  work.launch("mean_and_deviation", {{columns}}, data, mean, deviation, rows, columns);
  work.launch("normalise", {{columns, rows}}, data, mean, deviation, rows, columns);
  work.launch("correlate", {{columns}}, data, result, rows, columns);
}

void covariance(Work& work) {
  const int rows = work.number(600, 40), columns = work.number(512, 48);
  const Array data = work.result(matrix(rows, columns, 1), 1e-4), mean = work.scratch<float>(columns),
              result = work.result(std::vector<float>(columns * columns), 1e-4);
  work.launch("column_means", {{columns}}, data, mean, rows, columns);
  work.launch("centre", {{columns, rows}}, data, mean, rows, columns);
  work.launch("covary", {{columns}}, data, result, rows, columns);
}

void gramschmidt(Work& work) {
  const int n = work.number(384, 24);
  const Array a = work.result(matrix(n, n, 1), 1e-2), r = work.result(matrix(n, n, 2), 1e-3),
              q = work.result(matrix(n, n, 3), 1e-2);
  for (int k = 0; k < n; ++k) {
    work.launch("gramschmidt_norm", {{256}}, a, r, n, k);
    work.launch("gramschmidt_column", {{n}}, a, r, q, n, k);
    work.launch("gramschmidt_rest", {{n}}, a, r, q, n, k);
  }
}

void gaussian(Work& work) {
  const int n = work.number(512, 40);
  auto values = matrix(n, n, 1);
  for (int i = 0; i < n; ++i)
    values[i * n + i] += float(n); // no pivot is small
  const Array a = work.result(values), m = work.result(std::vector<float>(n * n));
  for (int t = 0; t < n - 1; ++t) {
    work.launch("gaussian_factors", {{n}, {n % 128 ? n : 128}}, a, m, n, t);
    work.launch("gaussian_rows", {{n, n}, {4, 4}}, a, m, n, t);
  }
}

} // namespace

std::span<const Row> product_rows() {
  static constexpr Row rows[] = {
      {"gemm", "matrix product, naive", "products.cl", gemm},
      {"syr2k", "A·Bᵀ + B·Aᵀ", "products.cl", syr2k},
      {"trmm", "triangular matrix product", "products.cl", trmm},
      {"atax", "Aᵀ·(A·x)", "products.cl", atax},
      {"bicg", "A·p and Aᵀ·r", "products.cl", bicg},
      {"covariance", "covariance of columns", "products.cl", covariance},
      {"correlation", "correlation of columns", "products.cl", correlation},
      {"gramschmidt", "orthogonal columns, three launches each", "products.cl", gramschmidt},
      {"gaussian", "elimination, two launches a column", "products.cl", gaussian},
  };
  return rows;
}

} // namespace bench::native

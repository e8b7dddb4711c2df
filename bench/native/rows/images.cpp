#include "bench/native/work.hpp"

#include <cmath>

namespace bench::native {
namespace {

std::vector<cl_uchar> bytes(int count) {
  Random random;
  std::vector<cl_uchar> values(count);
  for (cl_uchar& value : values)
    value = cl_uchar(random.below(256));
  return values;
}

/// A filter of three by three bytes.
void bytes_filter(Work& work, const char* kernel) {
  const int width = work.number(2048, 90), height = work.number(1536, 40);
  const Array in = work.input(bytes(width * height)),
              out = work.result(std::vector<cl_uchar>(width * height));
  work.launch(kernel, {{width, height}}, in, out, width, height);
}

void sobel(Work& work) {
  bytes_filter(work, "sobel");
}

void median3(Work& work) {
  bytes_filter(work, "median3");
}

void gauss(Work& work) {
  const int width = work.number(2048, 90), height = work.number(1024, 40), radius = work.number(4, 2);
  std::vector<float> bell(2 * radius + 1);
  for (int k = -radius; k <= radius; ++k)
    bell[k + radius] = float(std::exp(-0.1 * k * k));
  const Array in = work.input(random_values<float>(width * height, 0, 1)),
              half_way = work.scratch<float>(width * height),
              out = work.result(std::vector<float>(width * height)), weights = work.input(bell);
  work.launch("gauss_rows", {{width, height}}, in, half_way, weights, radius, width);
  work.launch("gauss_columns", {{width, height}}, half_way, out, weights, radius, width, height);
}

void bilateral(Work& work) {
  const int width = work.number(320, 40), height = work.number(240, 30), radius = work.number(3, 2);
  const Array in = work.input(random_values<float>(width * height, 0, 1)),
              out = work.result(std::vector<float>(width * height));
  work.launch("bilateral", {{width, height}}, in, out, width, height, radius, 0.05f, 8.0f);
}

void grey(Work& work) {
  const int n = work.number(8 << 20, 1000);
  const Array rgb = work.input(bytes(3 * n)), out = work.result(std::vector<cl_uchar>(n));
  work.launch("grey", {{n}}, rgb, out, n);
}

} // namespace

std::span<const Row> image_rows() {
  static constexpr Row rows[] = {
      {"sobel", "Sobel edges, bytes", "images.cl", sobel},
      {"gauss", "Gaussian blur, rows then columns", "images.cl", gauss},
      {"median3", "3×3 median, bytes", "images.cl", median3},
      {"bilateral", "bilateral filter", "images.cl", bilateral},
      {"grey", "grey from RGB bytes", "images.cl", grey},
  };
  return rows;
}

} // namespace bench::native

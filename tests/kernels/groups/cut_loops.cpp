// Inner loops that run in parts, which stay in the cache, or in blocks that are transposed, give to the bit what they
// give at once: for numbers of iterations around those of the parts, odd numbers of rows, and groups that fill no vector.

#include "support/session.hpp"

#include <functional>

namespace {

constexpr const char* source = R"(
#pragma OPENCL FP_CONTRACT OFF
#define KERNEL(name) kernel void name(global float* c, global const float* a, global const float* b, int n, int w)
KERNEL(columns) {
  int x = get_global_id(0);
  float sum = c[x];
  for (int k = 0; k < n; ++k) sum += a[k * w + x];
  c[x] = sum;
}
KERNEL(carries) {
  int x = get_global_id(0);
  float sum = 0, last = 1, before = 2;
  for (int k = n; k > 0; --k) {
    sum += a[(k - 1) * w + x] * last + k;
    before = last;
    last = a[(k - 1) * w + x];
  }
  c[x] += sum * 3 + last + before;
}
KERNEL(multiplies) {
  int x = get_global_id(0), y = get_global_id(1);
  if (y == 1) return;
  float sum = c[y * w + x];
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * w + x];
  c[y * w + x] = sum;
}
KERNEL(triangle) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n - 3 * y; ++k) sum += a[y * n + k] * b[k * w + x];
  c[y * w + x] = sum;
}
KERNEL(rows) {
  int x = get_global_id(0);
  float sum = 1;
  for (int k = 0; k < n; ++k) sum += a[x * n + k] * b[k];
  c[x] = sum;
}
KERNEL(some_rows) {
  int x = get_global_id(0);
  float sum = 1;
  if (x % 5 != 2)
    for (int k = 0; k < n; ++k) sum = sum * 0.5f + a[x * n + k];
  c[x] = sum;
}
)";

struct Sizes {
  size_t n, w, h;
};
struct Cut {
  test::Session session;
  test::Program program = session.build(source);
};

using Numbers = std::vector<float>;
using Item = std::function<void(Numbers& c, const Numbers& a, const Numbers& b, Sizes, size_t x, size_t y)>;

Numbers numbers(size_t count, unsigned seed) {
  Numbers values(count);
  for (float& value : values) {
    seed = seed * 1664525 + 1013904223;
    value = float(int(seed >> 8) - (1 << 23)) / float(1 << 20);
  }
  return values;
}

void multiply(float& sum, const Numbers& a, const Numbers& b, Sizes s, size_t x, size_t y, size_t terms) {
  for (size_t k = 0; k < terms; ++k)
    sum += a[y * s.n + k] * b[k * s.w + x];
}

void check(const Cut& cut, const char* name, Sizes s, test::Range local, const Item& item) {
  const Numbers a = numbers(s.n * std::max(s.w, s.h) + 1, 1), b = numbers(s.n * s.w + 1, 2);
  Numbers expected = numbers(s.w * s.h, 3);
  const auto c = cut.session.buffer(expected), buffer_a = cut.session.buffer(a),
             buffer_b = cut.session.buffer(b);
  const auto kernel = cut.session.kernel(cut.program, name);
  test::set_arguments(kernel, c, buffer_a, buffer_b, cl_int(s.n), cl_int(s.w));
  cut.session.run(kernel, s.h == 1 ? test::Range(s.w) : test::Range(s.w, s.h), local);
  for (size_t y = 0; y < s.h; ++y)
    for (size_t x = 0; x < s.w; ++x)
      item(expected, a, b, s, x, y);
  CAPTURE(name, s.n, s.w, s.h);
  CHECK(cut.session.read<float>(c, expected.size()) == expected);
}

} // namespace

TEST_CASE("Cut loops: vectors that walk down columns", "[cut_loops]") {
  const Cut cut;
  for (const size_t n : {0, 1, 1024, 1025, 1026, 1032, 1033, 1500})
    for (const size_t w : {256, 300}) {
      check(cut, "columns", {n, w, 1}, w == 300 ? 150 : 128,
            [](Numbers& c, const Numbers& a, const Numbers&, Sizes s, size_t x, size_t) {
              for (size_t k = 0; k < s.n; ++k)
                c[x] += a[k * s.w + x];
            });
      check(cut, "carries", {n, w, 1}, w / 2,
            [](Numbers& c, const Numbers& a, const Numbers&, Sizes s, size_t x, size_t) {
              float sum = 0, last = 1, before = 2;
              for (size_t k = s.n; k > 0; --k) {
                sum += a[(k - 1) * s.w + x] * last + float(k);
                before = last;
                last = a[(k - 1) * s.w + x];
              }
              c[x] += sum * 3 + last + before;
            });
    }
}

TEST_CASE("Cut loops: rows that share vectors", "[cut_loops]") {
  const Cut cut;
  for (const size_t n : {5, 64, 65, 256, 1025, 1100, 2049})
    for (const size_t h : {4, 7, 22}) {
      check(cut, "multiplies", {n, 40, h}, {8, h},
            [](Numbers& c, const Numbers& a, const Numbers& b, Sizes s, size_t x, size_t y) {
              if (y != 1) multiply(c[y * s.w + x], a, b, s, x, y, s.n);
            });
      check(cut, "triangle", {n, 40, h}, {40, h},
            [](Numbers& c, const Numbers& a, const Numbers& b, Sizes s, size_t x, size_t y) {
              c[y * s.w + x] = 0;
              multiply(c[y * s.w + x], a, b, s, x, y, s.n > 3 * y ? s.n - 3 * y : 0);
            });
    }
}

TEST_CASE("Cut loops: lanes that walk along rows", "[cut_loops]") {
  const Cut cut;
  for (const size_t n : {0, 1, 15, 16, 17, 31, 32, 33, 100})
    for (const size_t w : {16, 35, 64}) {
      check(cut, "rows", {n, w, 1}, w,
            [](Numbers& c, const Numbers& a, const Numbers& b, Sizes s, size_t x, size_t) {
              c[x] = 1;
              for (size_t k = 0; k < s.n; ++k)
                c[x] += a[x * s.n + k] * b[k];
            });
      check(cut, "some_rows", {n, w, 1}, w,
            [](Numbers& c, const Numbers& a, const Numbers&, Sizes s, size_t x, size_t) {
              c[x] = 1;
              for (size_t k = 0; k < s.n && x % 5 != 2; ++k)
                c[x] = c[x] * 0.5F + a[x * s.n + k];
            });
    }
}

// Volatile variables of a work-item: what they hold, and that fast maths leaves compensated sums alone.

#include "support/session.hpp"

#include <cmath>

namespace {

/// Kahan's sum of every 64th number.
cl_float compensated_sum(const std::vector<cl_float>& numbers, size_t first) {
  cl_float sum = 0, carry = 0;
  for (size_t i = first; i < numbers.size(); i += 64) {
    const cl_float y = numbers[i] - carry;
    const volatile cl_float t = sum + y;
    const volatile cl_float difference = t - sum;
    carry = difference - y;
    sum = t;
  }
  return sum;
}

} // namespace

TEST_CASE("Private volatile: a compensated sum is one, with fast maths as well", "[private_volatile]") {
  const test::Session session;
  std::vector<cl_float> numbers(64 * 500);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] =
        std::ldexp(1.0f + cl_float(i * i % 1009) / 1009, int(i * 7 % 23) - 11) * (i % 3 ? 1.0f : -1.0f);
  auto in = session.buffer(numbers), out = session.buffer(64 * sizeof(cl_float));
  std::vector<cl_float> expected(64);
  for (size_t i = 0; i < 64; ++i)
    expected[i] = compensated_sum(numbers, i);
  for (const char* options : {"", "-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations -cl-mad-enable"}) {
    CAPTURE(options);
    const auto kernel =
        session.kernel(session.build("kernel void k(global const float* in, global float* out, int n) {"
                                     "  volatile float sum = 0, carry = 0;"
                                     "  for (int j = 0; j < n; ++j) {"
                                     "    volatile float y = in[j * 64 + get_global_id(0)] - carry;"
                                     "    volatile float t = sum + y;"
                                     "    volatile float difference = t - sum;"
                                     "    carry = difference - y;"
                                     "    sum = t;"
                                     "  }"
                                     "  out[get_global_id(0)] = sum;"
                                     "}",
                                     options),
                       "k");
    test::set_arguments(kernel, in, out, cl_int(500));
    session.run(kernel, 64);
    CHECK(session.read<cl_float>(out, 64) == expected);
  }
}

TEST_CASE("Private volatile: arrays, vectors, and variables whose address is handed on",
          "[private_volatile]") {
  const test::Session session;
  const auto kernel =
      session.kernel("void add(volatile int* p, int n) { *p += n; }"
                     "void swap(volatile float4* a, volatile float4* b) { float4 t = *a; *a = *b; *b = t; }"
                     "kernel void k(global int* ints, global float4* floats) {"
                     "  const int i = get_global_id(0);"
                     "  volatile int table[8] = {0};"
                     "  for (int j = 0; j < 20; ++j) table[(i + j) % 8] += j;"
                     "  add(&table[i % 8], 1000);"
                     "  volatile int* p = i % 2 ? &table[1] : &table[6];"
                     "  *p += 7;"
                     "  int sum = 0;"
                     "  for (int j = 0; j < 8; ++j) sum = sum * 3 + table[j];"
                     "  ints[i] = sum;"
                     "  volatile float4 a = (float4)(i, 1, 2, 3), b = (float4)(4, 5, 6, i);"
                     "  swap(&a, &b);"
                     "  floats[i] = a + 2 * b;"
                     "}",
                     "k");
  constexpr int items = 100;
  auto ints = session.buffer(items * sizeof(cl_int)), floats = session.buffer(items * 16);
  test::set_arguments(kernel, ints, floats);
  session.run(kernel, items);
  std::vector<cl_int> sums;
  std::vector<cl_float> vectors;
  for (int i = 0; i < items; ++i) {
    cl_int table[8] = {}, sum = 0;
    for (int j = 0; j < 20; ++j)
      table[(i + j) % 8] += j;
    table[i % 8] += 1000;
    table[i % 2 ? 1 : 6] += 7;
    for (cl_int value : table)
      sum = sum * 3 + value;
    sums.push_back(sum);
    const cl_float x = cl_float(i);
    vectors.insert(vectors.end(), {4 + 2 * x, 7, 10, x + 6});
  }
  CHECK(session.read<cl_int>(ints, items) == sums);
  CHECK(session.read<cl_float>(floats, 4 * items) == vectors);
}

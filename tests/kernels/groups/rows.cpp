// Rows of a group whose inner loops read the same vectors are run together
// (compiler/passes/5_loops/unroll_and_jam.cpp).

#include "support/session.hpp"

namespace {

constexpr size_t size = 40;

constexpr const char* source = R"(
kernel void product(global uint* c, global const uint* a, global const uint* b, global uint* total, int n) {
  int column = get_global_id(0), row = get_global_id(1);
  uint sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * 40 + k] * b[k * 40 + column];
  c[row * 40 + column] = sum;
}
kernel void counted(global uint* c, global const uint* a, global const uint* b, global uint* total, int n) {
  int column = get_global_id(0), row = get_global_id(1);
  uint sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * 40 + k] * b[k * 40 + column];
  c[row * 40 + column] = sum;
  atomic_add(total, sum);
}
kernel void chained(global uint* c, global const uint* a, global const uint* b, global uint* total, int n) {
  local uint first;
  if (get_local_id(0) == 0 && get_local_id(1) == 0) first = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int column = get_global_id(0), row = get_global_id(1);
  uint sum = first - 5, last[4] = {0};
  for (int k = 0; k < n; ++k) {
    sum += a[row * 40 + k] * b[k * 40 + column];
    last[k % 4] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  c[row * 40 + column] = n == 0 ? 0 : last[(n - 1) % 4];
}
)";

std::vector<cl_uint> numbers(cl_uint factor) {
  std::vector<cl_uint> values(size * size);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<cl_uint>(i * factor % 1009);
  return values;
}

std::vector<cl_uint> product(size_t n) {
  const auto a = numbers(7), b = numbers(13);
  std::vector<cl_uint> c(size * size);
  for (size_t row = 0; row < size; ++row)
    for (size_t column = 0; column < size; ++column)
      for (size_t k = 0; k < n; ++k)
        c[row * size + column] += a[row * size + k] * b[k * size + column];
  return c;
}

} // namespace

TEST_CASE("Rows: products of matrices, in groups of many shapes", "[rows]") {
  const test::Session session;
  const auto program = session.build(source);
  const size_t shapes[][2] = {{8, 8}, {8, 5}, {40, 4}, {8, 1}, {20, 2}, {4, 40}, {8, 10}, {40, 8}};
  for (const char* name : {"product", "counted", "chained"})
    for (const auto& local : shapes)
      for (const size_t n : {size_t{0}, size_t{1}, size}) {
        const auto kernel = session.kernel(program, name);
        auto c = session.buffer(size * size * 4), a = session.buffer(numbers(7)),
             b = session.buffer(numbers(13)), total = session.buffer(std::vector<cl_uint>(1, 3));
        test::set_arguments(kernel, c, a, b, total, cl_int(n));
        const size_t global[2] = {size, size};
        REQUIRE_CL(
            clEnqueueNDRangeKernel(session.queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr));
        const auto expected = product(n);
        cl_uint sum = 3;
        for (const cl_uint value : expected)
          sum += std::string_view(name) == "counted" ? value : 0;
        CAPTURE(name, local[0], local[1], n);
        CHECK(session.read<cl_uint>(c, size * size) == expected);
        CHECK(session.read<cl_uint>(total, 1)[0] == sum);
      }
}

// Kernels whose y runs along rows of memory: they are vectorised along y, and give what they gave along x.

#include "support/session.hpp"

#include <numeric>

namespace {

constexpr size_t rows = 48, columns = 96, deep = 2;

constexpr const char* source = R"(
kernel void sums(global uint* c, global const uint* a, global const uint* b, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  uint sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] += sum;
}
kernel void edges(global uint* c, global const uint* a, global const uint* b, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  if (row == 0 || column % 3 == 1) return;
  c[row * n + column] = a[row * n + column] - a[(row - 1) * n + column] + b[column];
}
kernel void places(global uint* c, global const uint* a, global const uint* b, int n) {
  local uint tile[16 * 16 * 2];
  int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
  int at = (z * get_local_size(0) + x) * get_local_size(1) + y;
  size_t i = (get_global_id(2) * get_global_size(0) + get_global_id(0)) * n + get_global_id(1);
  tile[at] = a[i] + get_local_linear_id();
  barrier(CLK_LOCAL_MEM_FENCE);
  int size = get_local_size(0) * get_local_size(1) * get_local_size(2);
  c[i] = tile[size - 1 - at] + 1000 * get_group_id(0) + 100000 * get_group_id(1) + b[i];
}
)";

std::vector<cl_uint> numbers(cl_uint first) {
  std::vector<cl_uint> values(rows * columns * deep);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// What the kernel leaves; `local` 0 0 0: none given.
std::vector<cl_uint> run(const test::Session& session, cl_kernel kernel, size_t depth,
                         const std::array<size_t, 3>& local) {
  auto c = session.buffer(numbers(7)), a = session.buffer(numbers(1)), b = session.buffer(numbers(3));
  test::set_arguments(kernel, c, a, b, cl_int(columns));
  const size_t global[3] = {rows, columns, depth};
  REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, depth == 1 ? 2 : 3, nullptr, global,
                                    local[0] ? local.data() : nullptr, 0, nullptr, nullptr));
  return session.read<cl_uint>(c, rows * columns * deep);
}

using Grid = std::vector<cl_uint>;

Grid expected_sums() {
  const Grid a = numbers(1), b = numbers(3);
  Grid c = numbers(7);
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column)
      for (size_t k = 0; k < columns; ++k)
        c[row * columns + column] += a[row * columns + k] * b[k * columns + column];
  return c;
}

Grid expected_edges() {
  const Grid a = numbers(1), b = numbers(3);
  Grid c = numbers(7);
  for (size_t row = 1; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column)
      if (column % 3 != 1)
        c[row * columns + column] = a[row * columns + column] - a[(row - 1) * columns + column] + b[column];
  return c;
}

Grid expected_places(const std::array<size_t, 3>& local) {
  const Grid a = numbers(1), b = numbers(3);
  Grid c(a.size());
  const size_t size = local[0] * local[1] * local[2];
  for (size_t i = 0; i < c.size(); ++i) {
    const size_t y = i % columns, x = i / columns % rows, z = i / columns / rows;
    const size_t at = ((z % local[2]) * local[0] + x % local[0]) * local[1] + y % local[1];
    const size_t other = size - 1 - at; // in the group: its tile is filled from there
    const size_t other_y = other % local[1], other_x = other / local[1] % local[0],
                 other_z = other / local[1] / local[0];
    const size_t from =
        ((z / local[2] * local[2] + other_z) * rows + x / local[0] * local[0] + other_x) * columns +
        y / local[1] * local[1] + other_y;
    const size_t linear = (other_z * local[1] + other_y) * local[0] + other_x;
    c[i] = static_cast<cl_uint>(a[from] + linear + 1000 * (x / local[0]) + 100'000 * (y / local[1]) + b[i]);
  }
  return c;
}

} // namespace

TEST_CASE("Columns: y along rows of memory, in groups of many shapes", "[columns]") {
  const test::Session session;
  const auto program = session.build(source, "-cl-std=CL3.0");
  const auto sums = session.kernel(program, "sums"), edges = session.kernel(program, "edges"),
             places = session.kernel(program, "places");
  const std::array<size_t, 3> shapes[] = {{16, 16, 1}, {8, 8, 1}, {4, 32, 1}, {16, 4, 2},
                                          {3, 12, 1},  {2, 6, 2}, {1, 96, 1}, {16, 1, 1},
                                          {6, 3, 1},   {1, 2, 1}, {4, 24, 2}};
  for (const auto& local : shapes) {
    CAPTURE(local[0], local[1], local[2]);
    if (local[2] == 1) {
      CHECK(run(session, sums, 1, local) == expected_sums());
      CHECK(run(session, edges, 1, local) == expected_edges());
    }
    CHECK(run(session, places, deep, local) == expected_places(local));
  }
}

TEST_CASE("Columns: a local size of the driver's choice lies along y once that is known", "[columns]") {
  const test::Session session;
  const auto program = session.build(source, "-cl-std=CL3.0");
  const auto sums = session.kernel(program, "sums"), edges = session.kernel(program, "edges");
  for (int iteration = 0; iteration < 3; ++iteration) {
    CHECK(run(session, sums, 1, {}) == expected_sums());
    CHECK(run(session, edges, 1, {}) == expected_edges());
  }
  if (!test::is_hostcl()) return;
  const size_t global[2] = {1024, 1024};
  size_t local[2] = {};
  const auto suggest =
      test::extension_function<test::SuggestLocalSize>("clGetKernelSuggestedLocalWorkSizeKHR");
  REQUIRE(suggest);
  auto buffer = session.buffer(4);
  test::set_arguments(sums, buffer, buffer, buffer, cl_int(columns));
  REQUIRE_CL(suggest(session.queue, sums, 2, nullptr, global, local));
  CHECK(local[0] == 1);
  CHECK(local[1] >= 64);
}

TEST_CASE("Columns: one kernel in launches of many sizes, one after the other", "[columns]") {
  const test::Session session;
  const auto program = session.build(R"(
    kernel void across(global int* c, global const int* a, global const int* b, int n, int m, int k) {
      int x = get_global_id(0), y = get_global_id(1), sum = 0;
      if (x >= m || y >= n) return;
      for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * m + x];
      c[y * m + x] = sum;
    }
    kernel void down(global int* c, global const int* a, global const int* b, int n, int m, int k) {
      int y = get_global_id(0), x = get_global_id(1), sum = 0;
      if (x >= m || y >= n) return;
      for (int i = 0; i < k; ++i) sum += a[y * k + i] * b[i * m + x];
      c[y * m + x] = sum;
    })");
  const size_t sizes[][2] = {{37, 53}, {64, 64}, {16, 128}, {1, 5}, {48, 96}};
  const size_t shapes[][2] = {{0, 0}, {16, 16}, {8, 8}, {64, 4}, {4, 64}, {32, 1}, {1, 32}, {5, 7}};
  for (const bool down : {false, true}) {
    const auto kernel = session.kernel(program, down ? "down" : "across");
    for (const auto& [n, m] : sizes) {
      std::vector<cl_int> a(n * 7), b(7 * m), expected(n * m);
      std::iota(a.begin(), a.end(), 1);
      std::iota(b.begin(), b.end(), 5);
      for (size_t i = 0; i < 7; ++i)
        for (size_t place = 0; place < n * m; ++place)
          expected[place] += a[place / m * 7 + i] * b[i * m + place % m];
      for (const auto& local : shapes) {
        auto c = session.buffer(std::vector<cl_int>(n * m, -1)), a_buffer = session.buffer(a),
             b_buffer = session.buffer(b);
        test::set_arguments(kernel, c, a_buffer, b_buffer, cl_int(n), cl_int(m), cl_int(7));
        const size_t least[2] = {down ? n : m, down ? m : n};
        size_t global[2] = {least[0], least[1]};
        for (size_t d = 0; d < 2; ++d)
          if (local[d]) global[d] = (least[d] + local[d] - 1) / local[d] * local[d];
        REQUIRE_CL(clEnqueueNDRangeKernel(session.queue, kernel, 2, nullptr, global,
                                          local[0] ? local : nullptr, 0, nullptr, nullptr));
        CAPTURE(down, n, m, local[0], local[1]);
        CHECK(session.read<cl_int>(c, n * m) == expected);
      }
    }
  }
}

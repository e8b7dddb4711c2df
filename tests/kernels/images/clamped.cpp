// Indices that are clamped between borders (compiler/passes/2_vector/shapes/shapes.hpp): rows where no lane is
// clamped, and the right element where some are, all are, or the index wraps between two lanes.

#include "support/session.hpp"

#include <algorithm>
#include <cstdint>

namespace {

constexpr cl_int elements = 100;

struct Form {
  const char* index; ///< of work-item i, with d added to it, among `elements` elements
  cl_int (*expected)(cl_int i, cl_int d);
};

cl_int wrapping_sum(cl_int a, cl_int b) {
  return static_cast<cl_int>(static_cast<cl_uint>(a) + static_cast<cl_uint>(b));
}
cl_int clamped(cl_int x) {
  return std::clamp(x, 0, elements - 1);
}

constexpr Form forms[] = {
    {"clamp(as_int((uint)i + (uint)d), 0, n - 1)",
     [](cl_int i, cl_int d) { return clamped(wrapping_sum(i, d)); }},
    {"max(min(as_int((uint)d - (uint)i), n - 1), 0)",
     [](cl_int i, cl_int d) {
       return clamped(static_cast<cl_int>(static_cast<cl_uint>(d) - static_cast<cl_uint>(i)));
     }},
    {"clamp(as_int(2 * (uint)i + (uint)d), 0, n - 1)",
     [](cl_int i, cl_int d) { return clamped(wrapping_sum(2 * i, d)); }},
    {"(int)min((uint)i + (uint)d, (uint)n - 1)",
     [](cl_int i, cl_int d) {
       return static_cast<cl_int>(
           std::min(static_cast<cl_uint>(i) + static_cast<cl_uint>(d), static_cast<cl_uint>(elements - 1)));
     }},
    {"(int)clamp((long)i + d, 0L, (long)n - 1)",
     [](cl_int i, cl_int d) {
       return static_cast<cl_int>(std::clamp<std::int64_t>(std::int64_t{i} + d, 0, elements - 1));
     }},
    // Between sums, and by a border that differs between work-items.
    {"min(max(as_int((uint)i + (uint)d), 3) - 3, n - 1)",
     [](cl_int i, cl_int d) { return std::min(std::max(wrapping_sum(i, d), 3) - 3, elements - 1); }},
    {"clamp(as_int((uint)i + (uint)d), 0, i)",
     [](cl_int i, cl_int d) { return std::min(std::max(wrapping_sum(i, d), 0), i); }},
    // All in one place, as a number, and under a condition that part of the work-items meets.
    {"clamp(as_int((uint)i + (uint)d), 5, 5)", [](cl_int, cl_int) { return 5; }},
    {"clamp(as_int((uint)i + (uint)d), 0, n - 1) * 7 % n",
     [](cl_int i, cl_int d) { return clamped(wrapping_sum(i, d)) * 7 % elements; }},
    {"i % 3 == 0 ? 1 : clamp(as_int((uint)i + (uint)d), 0, n - 1)",
     [](cl_int i, cl_int d) { return i % 3 == 0 ? 1 : clamped(wrapping_sum(i, d)); }},
};

constexpr cl_int distances[] = {0,         1,         -1, 7, -20, 60, 95, 1000, -1000, INT32_MAX - 20,
                                INT32_MIN, INT32_MAX, -99};

} // namespace

TEST_CASE("Clamped indices: each work-item reads and writes the element of its own index", "[clamped]") {
  const test::Session session;
  std::vector<cl_int> table(elements);
  for (cl_int i = 0; i < elements; ++i)
    table[static_cast<size_t>(i)] = 1000 + 3 * i;
  const auto in = session.buffer(table);
  for (const Form& form : forms) {
    const std::string source =
        std::string("kernel void k(global const int* in, global int* out, int n, int d) {"
                    "int i = get_global_id(0), at = ") +
        form.index + "; out[i] = in[at] + at; }";
    const auto kernel = session.kernel(source.c_str(), "k");
    for (const cl_int d : distances)
      for (const size_t items : {size_t{80}, size_t{67}}) {
        CAPTURE(form.index, d, items);
        const auto out = session.buffer(items * sizeof(cl_int));
        test::set_arguments(kernel, in, out, elements, d);
        session.run(kernel, items, items == 67 ? 67 : 16);
        std::vector<cl_int> expected;
        for (cl_int i = 0; i < static_cast<cl_int>(items); ++i)
          expected.push_back(table[static_cast<size_t>(form.expected(i, d))] + form.expected(i, d));
        CHECK(session.read<cl_int>(out, items) == expected);
      }
  }
}

TEST_CASE("Clamped indices: stores to clamped places in two dimensions", "[clamped]") {
  const test::Session session;
  const auto kernel =
      session.kernel("kernel void k(global int* out, int w, int h, int dx, int dy) {"
                     "  int x = clamp((int)get_global_id(0) + dx, 0, w - 1), y = clamp((int)get_global_id(1) "
                     "+ dy, 0, h - 1);"
                     "  atomic_max(&out[y * w + x], (int)(get_global_id(1) * 64 + get_global_id(0) + 1)); }",
                     "k");
  constexpr cl_int width = 37, height = 11;
  for (const cl_int dx : {0, -5, 9, 50})
    for (const cl_int dy : {0, -3, 4}) {
      CAPTURE(dx, dy);
      const auto out = session.buffer(std::vector<cl_int>(width * height));
      test::set_arguments(kernel, out, width, height, dx, dy);
      session.run(kernel, {32, 8}, {16, 4});
      std::vector<cl_int> expected(width * height);
      for (cl_int y = 0; y < 8; ++y)
        for (cl_int x = 0; x < 32; ++x) {
          const cl_int at = std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, 0, width - 1);
          cl_int& value = expected[static_cast<size_t>(at)];
          value = std::max(value, y * 64 + x + 1);
        }
      CHECK(session.read<cl_int>(out, expected.size()) == expected);
    }
}

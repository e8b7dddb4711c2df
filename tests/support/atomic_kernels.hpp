#pragma once

// What the tests of atomics in kernels share: a number for each work-item, and a kernel of two arguments.

#include "support/session.hpp"

namespace test::atomics {

inline constexpr size_t items = 10'000, local = 100;

/// Scattered and repeated numbers below `limit`.
inline std::vector<cl_uint> numbers(size_t limit) {
  std::vector<cl_uint> values(items);
  cl_uint state = 1;
  for (cl_uint& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<cl_uint>((state >> 8) % limit);
  }
  return values;
}

/// What a kernel k(values, cells) leaves in `cells`.
template <class T>
std::vector<T> run(const char* source, const std::vector<cl_uint>& values, std::vector<T> cells,
                   const char* options = "") {
  const test::Session session;
  const auto kernel = session.kernel(source, "k", options);
  auto in = session.buffer(values), out = session.buffer(cells);
  test::set_arguments(kernel, in, out);
  session.run(kernel, items, local);
  return session.read<T>(out, cells.size());
}

} // namespace test::atomics

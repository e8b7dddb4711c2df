#pragma once

// A kernel with barriers, and what it has to compute.

#include "support/session.hpp"

#include <functional>
#include <vector>

namespace test {

using Values = std::vector<cl_int>;

struct BarrierCase {
  const char* source;
  size_t global, local;
  /// Computes the values of one group in place, from its ids; called with group number and group size.
  std::function<void(Values&, size_t group, size_t size)> reference;
};

/// The kernel "k" writes one int per item to its first argument; it gets a local array as large as the group.
inline void check(const BarrierCase& c) {
  const Session session;
  for (const char* options : {"", "-cl-opt-disable"}) {
    const auto kernel = session.kernel(c.source, "k", options);
    auto buffer = session.buffer(Values(c.global, -1));
    set_arguments(kernel, buffer, Local{c.local * 4});
    session.run(kernel, c.global, c.local);
    const auto values = session.read<cl_int>(buffer, c.global);
    Values expected;
    for (size_t group = 0; group < c.global / c.local; ++group) {
      Values part(c.local);
      c.reference(part, group, c.local);
      expected.insert(expected.end(), part.begin(), part.end());
    }
    size_t wrong = 0;
    for (size_t i = 0; i < c.global; ++i)
      wrong += values[i] != expected[i];
    CAPTURE(options);
    CHECK(wrong == 0);
  }
}

} // namespace test

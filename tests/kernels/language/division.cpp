// Division of integers by zero (OpenCL C 3.0, 6.3.a): any value, and the program goes on

#include "support/session.hpp"

#include <algorithm>

namespace {

/// Whether each of 64 work-items of kernel "k" stored a 1.
bool all_go_on(const char* source) {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  const auto buffer = session.buffer(std::vector<cl_int>(64));
  test::set_arguments(kernel, buffer, 0);
  session.run(kernel, 64);
  return std::ranges::count(session.read<cl_int>(buffer, 64), 1) == 64;
}

} // namespace

TEST_CASE("Division: by zeros that are known at run time", "[division]") {
  CHECK(all_go_on(R"(
    kernel void k(global int* o, int zero) {
      int i = get_global_id(0), q = i / zero, r = (i | (int)0x80000000) / (zero - 1);
      uint4 v = (uint4)(i) % (uint)zero;
      o[i] = (q == 0 || q != 0) && (r == 0 || r != 0) && (v.x == 0 || v.x != 0);
    })"));
}

TEST_CASE("Division: by the constant zero", "[division]") {
  CHECK(all_go_on(R"(
    kernel void k(global int* o, int zero) {
      size_t i = get_global_id(0), q = i / 0;
      if (q == 0 || q != 0) o[i] = 1;
    })"));
}

TEST_CASE("Division: by a zero that a function is called with", "[division]") {
  CHECK(all_go_on(R"(
    int quotient(int n, int d) { return n / d; }
    kernel void k(global int* o, int zero) {
      int i = get_global_id(0), q = quotient(i, 0), r = quotient(-2147483647 - 1, -1);
      if ((q < 7 || q >= 7) && (r < 7 || r >= 7)) o[i] = 1;
    })"));
}

// Options that relax arithmetic take effect (OpenCL 3.0 API, 5.8.6.3). Without them results are as IEEE 754
// has them.

#include "support/session.hpp"

#include <cmath>
#include <cstring>

namespace {

/// What `expression` of the floats x, y and z is with the given build options, for 100 work-items.
std::vector<float> values(const test::Session& session, const char* expression, const char* options, float x,
                          float y = 0, float z = 0) {
  const std::string source = std::string("kernel void k(global float* o, float x, float y, float z) {") +
                             "float product = x * y; o[get_global_id(0)] = " + expression + "; }";
  const auto kernel = session.kernel(source.c_str(), "k", options);
  auto buffer = session.buffer(4 * 100);
  test::set_arguments(kernel, buffer, x, y, z);
  session.run(kernel, 100);
  return session.read<float>(buffer, 100);
}

/// The one value that all work-items have.
float value(const test::Session& session, const char* expression, const char* options, float x, float y = 0,
            float z = 0) {
  const auto all = values(session, expression, options, x, y, z);
  for (const float other : all)
    CHECK(std::memcmp(&other, &all[0], sizeof other) == 0);
  return all[0];
}

} // namespace

TEST_CASE("-cl-denorms-are-zero flushes subnormal numbers, and for its own kernel alone", "[math_options]") {
  const test::Session session;
  const float tiny = 0x1p-126f;
  CHECK(value(session, "x * 0.5f", "", tiny) == 0x1p-127f);
#if defined(__x86_64__)
  CHECK(value(session, "x * 0.5f", "-cl-denorms-are-zero", tiny) == 0.0f);
  CHECK(value(session, "x * 4.0f", "-cl-denorms-are-zero", 0x1p-127f) == 0.0f);
  CHECK(value(session, "(float)((double)x * y * 0x1p-1022 * 0x1p1022)", "-cl-denorms-are-zero", 1, 0.25f) ==
        0.0f);
#endif
  CHECK(value(session, "x * 0.25f", "", tiny) == 0x1p-128f);
  CHECK(value(session, "x * 4.0f", "-cl-denorms-are-zero", 1) == 4.0f);
}

TEST_CASE("-cl-mad-enable fuses a product with a sum of another statement", "[math_options]") {
  const test::Session session;
  const float x = 1 + 0x1p-12f; // x * x = 1 + 2^-11 + 2^-24, rounded without the last term
  CHECK(value(session, "product + z", "", x, x, -1) == 0x1p-11f);
  CHECK(value(session, "product + z", "-cl-mad-enable", x, x, -1) == 0x1p-11f + 0x1p-24f);
}

TEST_CASE("-cl-no-signed-zeros leaves out additions of zero", "[math_options]") {
  const test::Session session;
  CHECK(!std::signbit(value(session, "x + 0.0f", "", -0.0f)));
  CHECK(std::signbit(value(session, "x + 0.0f", "-cl-no-signed-zeros", -0.0f)));
}

TEST_CASE("-cl-finite-math-only leaves out tests for NaN", "[math_options]") {
  const test::Session session;
  CHECK(value(session, "x == x ? 1.0f : 2.0f", "", NAN) == 2);
  CHECK(value(session, "x == x ? 1.0f : 2.0f", "-cl-finite-math-only", NAN) == 1);
}

TEST_CASE("-cl-unsafe-math-optimizations reassociates", "[math_options]") {
  const test::Session session;
  for (const char* options : {"-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"})
    CHECK(value(session, "(x + y) - y", options, 1, 1e9f) == 1);
  CHECK(value(session, "(x + y) - y", "", 1, 1e9f) == 0);
}

TEST_CASE("-cl-fast-relaxed-math takes the relaxed functions", "[math_options]") {
  const test::Session session;
  const float exact = value(session, "exp10(x)", "", 20.3f);
  const float relaxed = value(session, "exp10(x)", "-cl-fast-relaxed-math", 20.3f);
  CHECK(relaxed == value(session, "native_exp10(x)", "", 20.3f));
  CHECK(relaxed != exact);
  CHECK(std::abs(relaxed / exact - 1) < 8192 * 0x1p-23f);
}

// The divisors differ between work-items, so that the divisions are divisions of vectors.
TEST_CASE("-cl-fast-relaxed-math keeps quotients by infinity and by 0", "[math_options]") {
  const test::Session session;
  for (const char* options : {"", "-cl-finite-math-only", "-cl-fast-relaxed-math"}) {
    CHECK(value(session, "1.0f / (1.0f + exp(-x - get_global_id(0)))", options, -300) == 0);
    CHECK(value(session, "y / (1.0f - exp(-x - get_global_id(0)))", options, -300, 2) == 0);
    for (const float quotient : values(session, "x / (get_global_id(0) % 2 * y)", options, 3, 0.75f))
      CHECK((quotient == INFINITY || quotient == Approx(4)));
  }
}

TEST_CASE("-cl-single-precision-constant makes literals float", "[math_options]") {
  const test::Session session;
  CHECK(value(session, "(float)((0.1 + x) * 0x1p30 - y)", "", 0, 107374184.0f) !=
        value(session, "(float)((0.1 + x) * 0x1p30 - y)", "-cl-single-precision-constant", 0, 107374184.0f));
}

TEST_CASE("Division and square root are correctly rounded, asked for or not", "[math_options]") {
  const test::Session session;
  for (const char* options : {"", "-cl-fp32-correctly-rounded-divide-sqrt"})
    for (float x = 0.1f; x < 1e6f; x *= 3.7f) {
      CHECK(value(session, "x / y", options, x, 3) == x / 3);
      CHECK(value(session, "sqrt(x)", options, x) == std::sqrt(x));
    }
}

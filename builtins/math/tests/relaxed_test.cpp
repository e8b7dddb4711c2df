// The variants for unsafe optimisations keep the bounds that OpenCL C 3.0, 7.4 has for these.

#include "library.hpp"
#include "support/catch.hpp"

float16 relaxed_exp(float16) __asm("fast._Z3expDv16_f");
float16 relaxed_exp2(float16) __asm("fast._Z4exp2Dv16_f");
float16 relaxed_exp10(float16) __asm("fast._Z5exp10Dv16_f");
float16 relaxed_log(float16) __asm("fast._Z3logDv16_f");
float16 relaxed_log2(float16) __asm("fast._Z4log2Dv16_f");
float16 relaxed_log10(float16) __asm("fast._Z5log10Dv16_f");
float16 relaxed_sin(float16) __asm("fast._Z3sinDv16_f");
float16 relaxed_cos(float16) __asm("fast._Z3cosDv16_f");
float16 relaxed_tan(float16) __asm("fast._Z3tanDv16_f");
float16 relaxed_tanh(float16) __asm("fast._Z4tanhDv16_f");
float16 relaxed_rsqrt(float16) __asm("fast._Z5rsqrtDv16_f");
float16 relaxed_pow(float16, float16) __asm("fast._Z3powDv16_fS_");

namespace {

using namespace accuracy;

/// Tries an even grid over [low, high]; `error` says how many times the allowed error a result is off.
template <class Error>
double worst_over(float16 (*function)(float16), Real (*reference)(Real), float low, float high, Error error) {
  double worst = 0;
  for (int i = 0; i < 200000; i += 16) {
    float16 x;
    for (int j = 0; j < 16; ++j)
      x[j] = low + (high - low) * float(i + j) / 200000.0f;
    const float16 y = function(x);
    for (int j = 0; j < 16; ++j)
      worst = std::max(worst, error(x[j], y[j], reference(x[j])));
  }
  return worst;
}

auto in_ulp(double bound) {
  return [bound](float, float got, Real wanted) { return error_in_ulp(got, wanted) / bound; };
}
auto absolutely(double bound) {
  return [bound](float, float got, Real wanted) { return double(std::fabs(got - wanted)) / bound; };
}
double growing(float x, float got, Real wanted) {
  return error_in_ulp(got, wanted) / (3 + std::floor(std::fabs(2 * x)));
}

} // namespace

TEST_CASE("Relaxed exp and exp2: 3 + |2x| ULP") {
  CHECK(worst_over(relaxed_exp, std::exp, -87, 88.7f, growing) <= 1);
  CHECK(worst_over(relaxed_exp2, std::exp2, -126, 127.9f, growing) <= 1);
}

TEST_CASE("Relaxed exponentials overflow to infinity and underflow to 0") {
  CHECK(relaxed_exp(float16(89))[0] == INFINITY);
  CHECK(relaxed_exp(float16(-110))[0] == 0);
  CHECK(relaxed_exp2(float16(128))[0] == INFINITY);
  CHECK(relaxed_exp2(float16(-160))[0] == 0);
}

TEST_CASE("Relaxed logarithms: 2^-21 in [1/2, 2], else 3 ULP") {
  for (auto [function, reference] : {std::pair<float16 (*)(float16), Real (*)(Real)>{relaxed_log, std::log},
                                     {relaxed_log2, std::log2},
                                     {relaxed_log10, std::log10}}) {
    CHECK(worst_over(function, reference, 0.5f, 2, absolutely(0x1p-21)) <= 1);
    CHECK(worst_over(function, reference, 1e-30f, 0.5f, in_ulp(3)) <= 1);
    CHECK(worst_over(function, reference, 2, 1e4f, in_ulp(3)) <= 1);
  }
}

TEST_CASE("Relaxed sin and cos: 2^-11 in [-pi, pi]") {
  CHECK(worst_over(relaxed_sin, std::sin, -3.1415927f, 3.1415927f, absolutely(0x1p-11)) <= 1);
  CHECK(worst_over(relaxed_cos, std::cos, -3.1415927f, 3.1415927f, absolutely(0x1p-11)) <= 1);
}

TEST_CASE("Relaxed sin, cos and tan: as exact as Fourier transforms need them, 2, 2 and 4 ULP in [-pi, pi]") {
  // Not right beside the zeros, where cosines have lost what pi has beyond 48 bits.
  CHECK(worst_over(relaxed_sin, std::sin, -3.14f, 3.14f, in_ulp(2)) <= 1);
  CHECK(worst_over(relaxed_cos, std::cos, -1.57f, 1.57f, in_ulp(2)) <= 1);
  CHECK(worst_over(relaxed_cos, std::cos, 1.5708f, 3.1415927f, in_ulp(2)) <= 1);
  CHECK(worst_over(relaxed_tan, std::tan, -1.57f, 1.57f, in_ulp(4)) <= 1);
  CHECK(worst_over(relaxed_sin, std::sin, -100, 100, absolutely(0x1p-23)) <= 1);
  CHECK(worst_over(relaxed_cos, std::cos, -100, 100, absolutely(0x1p-23)) <= 1);
}

TEST_CASE("Relaxed exp10, tan, tanh, rsqrt: 8192 ULP") {
  CHECK(worst_over(relaxed_exp10, reference::exp10, -37, 38.5f, in_ulp(8192)) <= 1);
  CHECK(worst_over(relaxed_tan, std::tan, -3.1f, 3.1f, in_ulp(8192)) <= 1);
  CHECK(worst_over(relaxed_tanh, std::tanh, -10, 10, in_ulp(8192)) <= 1);
  CHECK(worst_over(relaxed_tanh, std::tanh, -0.01f, 0.01f, in_ulp(8192)) <= 1);
  CHECK(worst_over(relaxed_rsqrt, reference::rsqrt, 1e-6f, 100, in_ulp(8192)) <= 1);
}

TEST_CASE("Relaxed pow: 8192 ULP, with the sign that a negative base gives") {
  Source<float> source(3);
  for (int i = 0; i < 100000; ++i) {
    const float x = std::fabs(source()), y = source();
    const Real wanted = std::pow(Real(x), Real(y));
    if (x < 0x1p-126f || !(wanted >= 0x1p-126L && wanted < 0x1p128L)) continue;
    CHECK(error_in_ulp(relaxed_pow(float16(x), float16(y))[0], wanted) <= 8192);
  }
  CHECK(relaxed_pow(float16(-2), float16(3))[0] == Approx(-8));
  CHECK(relaxed_pow(float16(-2), float16(2))[0] == Approx(4));
}

// The library's bodies, compiled for the host, against references in plain C++.

#include "support/catch.hpp"

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;

using float4 = float __attribute__((ext_vector_type(4)));

// Mangled as the library's own.
float convert_float_rtz(long), convert_float_rtp(long), convert_float_rtn(long), convert_float(long);
float convert_float_rtz(ulong), convert_float_rtp(ulong), convert_float_rtn(ulong);
float convert_float_rtz(double), convert_float_rtp(double), convert_float_rtn(double);
double convert_double_rtz(long), convert_double_rtp(long), convert_double_rtn(long);
int convert_int_sat(double), convert_int_sat_rte(float), convert_int_sat_rtp(double);
uchar convert_uchar_sat(float), convert_uchar_sat(int);
ulong convert_ulong_sat(float);
long convert_long_sat(double), convert_long_sat(ulong);
char convert_char_sat(long);
long mul_hi(long, long), mad_sat(long, long, long);
ulong mul_hi(ulong, ulong), mad_sat(ulong, ulong, ulong);
int mad_sat(int, int, int), hadd(int, int), rhadd(int, int), rotate(int, int);
char add_sat(char, char), clz(char);
uint abs_diff(int, int);
int bitfield_extract_signed(int, uint, uint);
uint bitfield_insert(uint, uint, uint, uint);
float length(float4);
float4 normalize(float4);
float sign(float);

namespace {

using Wide = __int128;

template <class T>
std::vector<T> samples() {
  std::mt19937_64 random(1);
  std::vector<T> values = {0, 1, 2, T(-1), std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
  for (int i = 0; i < 20'000; ++i)
    values.push_back(static_cast<T>(random() >> (random() % 64)));
  return values;
}

std::vector<double> real_samples() {
  std::vector<double> values = {0.0,
                                -0.0,
                                1e-50,
                                -1e-50,
                                1e60,
                                -1e60,
                                0.5,
                                -0.5,
                                1.5,
                                2.5,
                                3.4028235677973366e38,
                                INFINITY,
                                -INFINITY,
                                2147483647.5,
                                -2147483648.5,
                                1e-40};
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> mantissa(-2, 2);
  for (int i = 0; i < 20'000; ++i)
    values.push_back(std::ldexp(mantissa(random), static_cast<int>(random() % 300) - 150));
  return values;
}

/// x as a To, converted by the host in the given rounding mode.
template <class To, class From>
To rounded(From x, int mode) {
  std::fesetround(mode);
  volatile From from = x;
  volatile To to = static_cast<To>(from);
  std::fesetround(FE_TONEAREST);
  return to;
}

template <class To, class From>
void check_modes(const std::vector<From>& values, To (*zero)(From), To (*up)(From), To (*down)(From)) {
  for (From x : values) {
    CAPTURE(x);
    REQUIRE(zero(x) == rounded<To>(x, FE_TOWARDZERO));
    REQUIRE(up(x) == rounded<To>(x, FE_UPWARD));
    REQUIRE(down(x) == rounded<To>(x, FE_DOWNWARD));
  }
}

template <class T>
T saturated(Wide x) {
  if (x > std::numeric_limits<T>::max()) return std::numeric_limits<T>::max();
  if (x < std::numeric_limits<T>::min()) return std::numeric_limits<T>::min();
  return static_cast<T>(x);
}

} // namespace

TEST_CASE("convert: integers to floating point in each rounding mode") {
  check_modes<float, long>(samples<long>(), convert_float_rtz, convert_float_rtp, convert_float_rtn);
  check_modes<float, ulong>(samples<ulong>(), convert_float_rtz, convert_float_rtp, convert_float_rtn);
  check_modes<double, long>(samples<long>(), convert_double_rtz, convert_double_rtp, convert_double_rtn);
}

TEST_CASE("convert: double to float in each rounding mode") {
  check_modes<float, double>(real_samples(), convert_float_rtz, convert_float_rtp, convert_float_rtn);
}

TEST_CASE("convert: saturation holds at the limits, and NaN becomes 0") {
  CHECK(convert_int_sat(1e10) == INT32_MAX);
  CHECK(convert_int_sat(-1e10) == INT32_MIN);
  CHECK(convert_int_sat(-2147483648.9) == INT32_MIN);
  CHECK(convert_int_sat(double(NAN)) == 0);
  CHECK(convert_int_sat_rtp(2147483646.5) == INT32_MAX);
  CHECK(convert_int_sat_rte(2.5f) == 2);
  CHECK(convert_uchar_sat(-3.0f) == 0);
  CHECK(convert_uchar_sat(255.9f) == 255);
  CHECK(convert_uchar_sat(300) == 255);
  CHECK(convert_uchar_sat(-300) == 0);
  CHECK(convert_ulong_sat(1e30f) == UINT64_MAX);
  CHECK(convert_ulong_sat(0x1p63f) == 1ul << 63);
  CHECK(convert_long_sat(0x1p63) == INT64_MAX);
  CHECK(convert_long_sat(-0x1p63) == INT64_MIN);
  CHECK(convert_long_sat(1ul << 63) == INT64_MAX);
  CHECK(convert_char_sat(-1000l) == -128);
}

TEST_CASE("mul_hi, mad_sat: 64 bits agree with 128-bit arithmetic") {
  auto values = samples<long>();
  for (std::size_t i = 0; i + 2 < values.size(); ++i) {
    long a = values[i], b = values[i + 1], c = values[i + 2];
    CAPTURE(a, b, c);
    REQUIRE(mul_hi(a, b) == static_cast<long>(Wide(a) * b >> 64));
    REQUIRE(mad_sat(a, b, c) == saturated<long>(Wide(a) * b + c));
    REQUIRE(mad_sat(int(a), int(b), int(c)) == saturated<int>(Wide(int(a)) * int(b) + int(c)));
    auto product = static_cast<unsigned __int128>(ulong(a)) * ulong(b);
    REQUIRE(mul_hi(ulong(a), ulong(b)) == static_cast<ulong>(product >> 64));
    bool fits = (product >> 64) == 0 && static_cast<ulong>(product) + ulong(c) >= ulong(c);
    REQUIRE(mad_sat(ulong(a), ulong(b), ulong(c)) == (fits ? static_cast<ulong>(product) + c : ~0ul));
  }
}

TEST_CASE("integer functions: halves, distances, fields") {
  CHECK(hadd(INT32_MAX, INT32_MAX) == INT32_MAX);
  CHECK(hadd(-3, 2) == -1);
  CHECK(rhadd(-3, 2) == 0);
  CHECK(abs_diff(INT32_MIN, INT32_MAX) == UINT32_MAX);
  CHECK(rotate(1, 33) == 2);
  CHECK(rotate(1, -1) == INT32_MIN);
  CHECK(add_sat(char(100), char(100)) == 127);
  CHECK(clz(char(0)) == 8);
  CHECK(clz(char(1)) == 7);
  CHECK(bitfield_extract_signed(0xf0, 4, 4) == -1);
  CHECK(bitfield_extract_signed(0xf0, 4, 0) == 0);
  CHECK(bitfield_extract_signed(-5, 0, 32) == -5);
  CHECK(bitfield_insert(0xffffffff, 0, 8, 8) == 0xffff00ff);
  CHECK(bitfield_insert(1, 7, 0, 32) == 7);
}

TEST_CASE("geometric functions neither overflow nor vanish") {
  CHECK(length(float4{3e30f, 4e30f, 0, 0}) == Approx(5e30f));
  CHECK(length(float4{3e-30f, 4e-30f, 0, 0}) == Approx(5e-30f));
  CHECK(length(float4{INFINITY, 1, 0, 0}) == INFINITY);
  float4 unit = normalize(float4{INFINITY, 1, -INFINITY, 0});
  CHECK(unit.x == Approx(std::sqrt(0.5f)));
  CHECK(unit.z == Approx(-std::sqrt(0.5f)));
  CHECK(normalize(float4{0, 0, 0, 0}).x == 0);
  CHECK(sign(NAN) == 0);
  CHECK(std::signbit(sign(-0.0f)));
}

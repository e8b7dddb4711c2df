// Built-in functions of extensions, and vec_step

#include "support/session.hpp"

#include <algorithm>

namespace {

/// What the kernel "k" stores for each of 64 work-items; it gets the buffer and nothing else.
template <class T>
std::vector<T> results(const test::Session& session, const char* source) {
  const auto kernel = session.kernel(source, "k");
  auto buffer = session.buffer(64 * sizeof(T));
  test::set_arguments(kernel, buffer);
  session.run(kernel, 64);
  return session.read<T>(buffer, 64);
}

} // namespace

TEST_CASE("cl_khr_kernel_clock: the clock does not run backwards, in any scope", "[extensions]") {
  const test::Session session;
  const auto elapsed = results<cl_long>(session, R"(
    kernel void k(global long* o) {
      ulong device = clock_read_device(), group = clock_read_work_group(), sub_group = clock_read_sub_group();
      uint2 halves = clock_read_hilo_device();
      ulong then = ((ulong)halves.y << 32) | halves.x;
      o[get_global_id(0)] = min(min((long)(clock_read_device() - then), (long)(then - device)),
                                min((long)(clock_read_work_group() - group), (long)(clock_read_sub_group() - sub_group)));
    })");
  for (const cl_long nanoseconds : elapsed)
    CHECK(nanoseconds >= 0);
}

TEST_CASE("cl_khr_expect_assume: promises do not change results", "[extensions]") {
  const test::Session session;
  const auto values = results<cl_int>(session, R"(
    kernel void k(global int* o) {
      int i = get_global_id(0);
      __builtin_assume(i >= 0);
      long v = __builtin_expect((long)i, 3L);
      o[i] = __builtin_expect(i % 8 == 5, 0) ? 100 + i : v;
    })");
  for (int i = 0; i < 64; ++i)
    CHECK(values[i] == (i % 8 == 5 ? 100 + i : i));
}

TEST_CASE("cl_khr_integer_dot_product: vectors and packed words, signed and mixed, with saturation",
          "[extensions]") {
  const test::Session session;
  const auto values = results<cl_int8>(session, R"(
    kernel void k(global int8* o) {
      int i = get_global_id(0);
      char4 s = (char4)(i, -i, 127, -128), t = (char4)(-3, 2 * i, -128, i);
      uchar4 u = (uchar4)(i, 255, 200, 2 * i);
      int8 r;
      r.s0 = dot(s, t);
      r.s1 = dot(u, u);
      r.s2 = dot(s, u);
      r.s3 = dot(u, s);
      r.s4 = dot_4x8packed_ss_int(as_uint(s), as_uint(t));
      r.s5 = dot_acc_sat_4x8packed_us_int(as_uint(u), as_uint(s), INT_MAX - 5);
      r.s6 = dot_acc_sat(s, t, INT_MIN + 7);
      r.s7 = dot_acc_sat(u, u, UINT_MAX - 9);
      o[i] = r;
    })");
  const auto saturated = [](long long value, long long low, long long high) {
    return cl_int(std::clamp(value, low, high));
  };
  for (int i = 0; i < 64; ++i) {
    const int s[] = {i, -i, 127, -128}, t[] = {cl_char(-3), cl_char(2 * i), -128, i},
              u[] = {i, 255, 200, 2 * i};
    const auto dot = [](const int (&a)[4], const int (&b)[4]) {
      return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    };
    const int expected[] = {dot(s, t),
                            dot(u, u),
                            dot(s, u),
                            dot(u, s),
                            dot(s, t),
                            saturated(INT32_MAX - 5LL + dot(u, s), INT32_MIN, INT32_MAX),
                            saturated(INT32_MIN + 7LL + dot(s, t), INT32_MIN, INT32_MAX),
                            saturated(UINT32_MAX - 9LL + dot(u, u), 0, UINT32_MAX)};
    CAPTURE(i);
    CHECK(std::vector<int>(values[i].s, values[i].s + 8) == std::vector<int>(expected, expected + 8));
  }
}

TEST_CASE("cl_khr_extended_bit_ops: fields are inserted, extracted with their sign, and bits reversed",
          "[extensions]") {
  const test::Session session;
  const auto values = results<cl_uint4>(session, R"(
    kernel void k(global uint4* o) {
      uint i = get_global_id(0), offset = i % 20, count = i % 13;
      uint base = i * 0x9e3779b9u;
      o[i] = (uint4)(bitfield_insert(base, ~i, offset, count), bitfield_extract_unsigned(base, offset, count),
                     as_uint(bitfield_extract_signed(as_int(base), offset, count)), bit_reverse(base));
    })");
  for (cl_uint i = 0; i < 64; ++i) {
    const cl_uint offset = i % 20, count = i % 13, base = i * 0x9e3779b9u, mask = (1u << count) - 1;
    const cl_uint field = (base >> offset) & mask, sign = count ? field >> (count - 1) & 1 : 0;
    cl_uint reversed = 0;
    for (int bit = 0; bit < 32; ++bit)
      reversed |= (base >> bit & 1) << (31 - bit);
    CAPTURE(i);
    CHECK(values[i].s[0] == ((base & ~(mask << offset)) | ((~i & mask) << offset)));
    CHECK(values[i].s[1] == field);
    CHECK(values[i].s[2] == (sign ? field | ~mask : field));
    CHECK(values[i].s[3] == reversed);
  }
}

TEST_CASE("vec_step: elements of a type or an expression, four for three", "[extensions]") {
  const test::Session session;
  const auto values = results<cl_int>(session, R"(
    kernel void k(global int* o) {
      short8 v = 0;
      o[get_global_id(0)] = vec_step(float) + 10 * vec_step(double3) + 100 * vec_step(v) + 10000 * vec_step(v.xy) +
                            100000 * vec_step(char16);
    })");
  CHECK(values == std::vector<cl_int>(64, 1 + 10 * 4 + 100 * 8 + 10000 * 2 + 100000 * 16));
}

TEST_CASE("_BitInt: numbers of 128 bits are divided and converted", "[extensions]") {
  const test::Session session;
  const auto values = results<cl_long8>(session, R"(
    typedef _BitInt(128) wide;
    typedef unsigned _BitInt(128) unsigned_wide;
    kernel void k(global long8* o) {
      int i = get_global_id(0);
      wide x = ((wide)1 << 100) * -(i + 1), y = ((wide)3 << 60) + i;
      unsigned_wide u = -x, v = y;
      long8 r;
      r.s0 = x / y - (wide)(u / v);
      r.s1 = x / y + (wide)(u / v);
      r.s2 = x - x / y * y == x % y && u - u / v * v == u % v;
      r.s3 = (float)x == -(i + 1) * 0x1p100f && (float)u == (i + 1) * 0x1p100f;
      r.s4 = (double)x == -(i + 1) * 0x1p100 && (double)u == (i + 1) * 0x1p100;
      r.s5 = (wide)(float)x == x && (unsigned_wide)(float)u == u;
      r.s6 = (wide)(double)x == x && (unsigned_wide)(double)u == u;
      r.s7 = x / (wide)(i - 32) != 0;
      o[i] = r;
    })");
  for (int i = 0; i < 64; ++i) {
    INFO(i);
    CHECK(values[i].s[0] ==
          2 * -static_cast<cl_long>(((__int128(1) << 100) * (i + 1)) / ((__int128(3) << 60) + i)));
    CHECK(values[i].s[1] == 0);
    for (int element : {2, 3, 4, 5, 6, 7})
      CHECK(values[i].s[element] == 1);
  }
}

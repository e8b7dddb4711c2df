// High halves of products of 64 bits (mul_hi, OpenCL C 3.0, 6.15.3), which the vectoriser makes of products of 32 bits.

#include "support/session.hpp"

#include <cstdint>
#include <limits>

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

constexpr cl_ulong constant = 0xcccccccccccccccd; // of a quotient by ten

/// Numbers with all kinds of halves, each next to each.
std::vector<cl_ulong> numbers() {
  constexpr cl_ulong some[] = {0,
                               1,
                               2,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               0x100000000,
                               0x123456789abcdef,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               0xfedcba9876543210,
                               std::numeric_limits<cl_ulong>::max()};
  std::vector<cl_ulong> all;
  for (const cl_ulong a : some)
    for (const cl_ulong b : some)
      all.insert(all.end(), {a, b});
  return all;
}

template <class T>
std::vector<T> run(const char* source, const std::vector<cl_ulong>& in) {
  const test::Session session;
  const auto kernel = session.kernel(source, "k");
  const std::size_t items = in.size() / 2;
  const auto numbers = session.buffer(in);
  const auto results = session.buffer(std::vector<T>(4 * items));
  test::set_arguments(kernel, numbers, results);
  session.run(kernel, items);
  return session.read<T>(results, 4 * items);
}

} // namespace

TEST_CASE("mul_hi of unsigned numbers of 64 bits is the product's high half", "[wide_products]") {
  const auto in = numbers();
  const auto results = run<cl_ulong>(R"(
    kernel void k(global const ulong* in, global ulong* out) {
      size_t i = get_global_id(0);
      ulong a = in[2 * i], b = in[2 * i + 1];
      out[4 * i] = mul_hi(a, b);
      out[4 * i + 1] = mul_hi(a, 0xcccccccccccccccdul) >> 3;
      out[4 * i + 2] = mul_hi(a, (ulong)(uint)b);
      out[4 * i + 3] = mul_hi(a, b) < mul_hi(a, 0xcccccccccccccccdul) ? a * b : b;
    })",
                                     in);
  for (std::size_t i = 0; i < in.size() / 2; ++i) {
    const cl_ulong a = in[2 * i], b = in[2 * i + 1];
    auto high = [](cl_ulong x, cl_ulong y) { return static_cast<cl_ulong>((UnsignedWide{x} * y) >> 64); };
    CAPTURE(a, b);
    CHECK(results[4 * i] == high(a, b));
    CHECK(results[4 * i + 1] == a / 10);
    CHECK(results[4 * i + 2] == high(a, static_cast<cl_uint>(b)));
    CHECK(results[4 * i + 3] == (high(a, b) < high(a, constant) ? a * b : b));
  }
}

TEST_CASE("mul_hi of signed numbers of 64 bits is the product's high half", "[wide_products]") {
  const auto in = numbers();
  const auto results = run<cl_long>(R"(
    kernel void k(global const long* in, global long* out) {
      size_t i = get_global_id(0);
      long a = in[2 * i], b = in[2 * i + 1];
      out[4 * i] = mul_hi(a, b);
      out[4 * i + 1] = mul_hi(a, -0x123456789abcdefl) >> 7;
      out[4 * i + 2] = mul_hi(a, (long)(int)b);
      out[4 * i + 3] = mul_hi(a, b) < mul_hi(b, 0x7fffffffffffffffl) ? a : b;
    })",
                                    in);
  for (std::size_t i = 0; i < in.size() / 2; ++i) {
    const auto a = static_cast<cl_long>(in[2 * i]), b = static_cast<cl_long>(in[2 * i + 1]);
    auto high = [](cl_long x, cl_long y) { return static_cast<cl_long>((Wide{x} * y) >> 64); };
    CAPTURE(a, b);
    CHECK(results[4 * i] == high(a, b));
    CHECK(results[4 * i + 1] == high(a, -0x123456789abcdef) >> 7);
    CHECK(results[4 * i + 2] == high(a, static_cast<cl_int>(b)));
    CHECK(results[4 * i + 3] == (high(a, b) < high(b, std::numeric_limits<cl_long>::max()) ? a : b));
  }
}

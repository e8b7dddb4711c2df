// Division by a number that all work-items share, which the compiler does by multiplication: dividends around multiples
// of the divisor, where a product that is rounded the wrong way shows, and at the ends of their types

#include "support/session.hpp"

#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

template <class T>
std::vector<T> divisors() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> all{1,
                     2,
                     3,
                     5,
                     7,
                     10,
                     11,
                     49,
                     100,
                     127,
                     Limits::max(),
                     Limits::max() - 1,
                     Limits::max() / 2,
                     Limits::max() / 2 + 1,
                     Limits::max() / 3};
  if constexpr (sizeof(T) > 1)
    for (int number : {128, 181, 255, 256, 257, 641, 1000, 4095, 32767})
      all.push_back(static_cast<T>(number));
  if constexpr (sizeof(T) > 2)
    for (int number : {46340, 46341, 65535, 65536, 65537, 6700417, 1000000007, 2147483629})
      all.push_back(static_cast<T>(number));
  if constexpr (std::is_signed_v<T>) {
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i)
      all.push_back(static_cast<T>(-all[i]));
    all.push_back(Limits::min());
  }
  return all;
}

/// Dividends for a divisor, from `least` to `most`.
template <class T>
std::vector<T> dividends(T divisor, T least, T most) {
  using Bits = std::make_unsigned_t<T>;
  std::vector<T> all{0, 1, 2, most, static_cast<T>(most - 1), static_cast<T>(most / 2)};
  T magnitude = divisor;
  if constexpr (std::is_signed_v<T>)
    if (divisor > std::numeric_limits<T>::min()) magnitude = static_cast<T>(std::abs(divisor));
  const auto largest = static_cast<T>(magnitude < 0 ? 0 : most / magnitude);
  for (T quotient : {T(1), T(2), T(3), static_cast<T>(largest / 3), static_cast<T>(largest / 2),
                     static_cast<T>(largest > 0 ? largest - 1 : 0), largest})
    if (quotient <= largest)
      for (int step : {-1, 0, 1})
        all.push_back(static_cast<T>(static_cast<Bits>(quotient * magnitude) + static_cast<Bits>(step)));
  if constexpr (std::is_signed_v<T>) {
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i)
      all.push_back(static_cast<T>(all[i] == std::numeric_limits<T>::min() ? all[i] : -all[i]));
    all.push_back(std::numeric_limits<T>::min());
  }
  std::erase_if(all, [&](T each) { return each > most || each < least; });
  std::erase_if(all, [&](T each) { // what C++ leaves open, and OpenCL C does, too
    return divisor == static_cast<T>(-1) && std::is_signed_v<T> && each == std::numeric_limits<T>::min();
  });
  while (all.size() % 64 != 0)
    all.push_back(all.front());
  return all;
}

/// How many results are wrong of `dividend / divisor` and `%`, for all divisors. `read` is what the kernel divides.
template <class T>
int wrong_results(const char* type, T most, const char* read, T least = std::numeric_limits<T>::min()) {
  const test::Session session;
  const std::string source = "typedef " + std::string(type) + R"( T;
    kernel void k(global const T* n, T d, global T* q, global T* r, global T* whole) {
      size_t i = get_global_id(0);
      T x = )" + read + R"(;
      q[i] = x / d;
      r[i] = x % d;
      whole[i] = (T)((x / d) * d + x % d);
    })";
  const auto kernel = session.kernel(source.c_str(), "k");
  int wrong = 0;
  for (T divisor : divisors<T>()) {
    const std::vector<T> numbers = dividends<T>(divisor, least, most);
    const std::size_t count = numbers.size();
    const auto n = session.buffer(numbers), q = session.buffer(std::vector<T>(count)),
               r = session.buffer(std::vector<T>(count)), whole = session.buffer(std::vector<T>(count));
    test::set_arguments(kernel, n, divisor, q, r, whole);
    session.run(kernel, count);
    const auto quotients = session.read<T>(q, count), remainders = session.read<T>(r, count),
               wholes = session.read<T>(whole, count);
    for (std::size_t i = 0; i < count; ++i)
      wrong += quotients[i] != static_cast<T>(numbers[i] / divisor) ||
               remainders[i] != static_cast<T>(numbers[i] % divisor) || wholes[i] != numbers[i];
  }
  return wrong;
}

} // namespace

TEST_CASE("Division by an argument: bytes and 16-bit numbers", "[division_by_argument]") {
  CHECK(wrong_results<cl_char>("char", 127, "n[i]") == 0);
  CHECK(wrong_results<cl_uchar>("uchar", 255, "n[i]") == 0);
  CHECK(wrong_results<cl_short>("short", 32767, "n[i]") == 0);
  CHECK(wrong_results<cl_ushort>("ushort", 65535, "n[i]") == 0);
}

TEST_CASE("Division by an argument: 32-bit numbers", "[division_by_argument]") {
  CHECK(wrong_results<cl_int>("int", std::numeric_limits<cl_int>::max(), "n[i]") == 0);
  CHECK(wrong_results<cl_uint>("uint", std::numeric_limits<cl_uint>::max(), "n[i]") == 0);
}

TEST_CASE("Division by an argument: 64-bit numbers that are small, or may be large",
          "[division_by_argument]") {
  constexpr cl_ulong most = (cl_ulong{1} << 45) - 1;
  CHECK(wrong_results<cl_ulong>("ulong", most, "n[i] & 0x1fffffffffff") == 0);
  CHECK(wrong_results<cl_long>("long", cl_long{most}, "n[i] & 0x1fffffffffff", cl_long{0}) == 0);
  CHECK(wrong_results<cl_ulong>("ulong", std::numeric_limits<cl_ulong>::max(), "n[i]") == 0);
  CHECK(wrong_results<cl_long>("long", std::numeric_limits<cl_long>::max(), "n[i]") == 0);
}

TEST_CASE("Division by an argument: one that the program keeps from being zero", "[division_by_argument]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global int* o, int d) {
      int i = get_global_id(0), least = -2147483647 - 1 + i;
      int n = d == 0 ? 1 : d, m = (d == 0 || (least == -2147483647 - 1 && d == -1)) ? 1 : d;
      uint u = max((uint)d, 1u), v = d == 0 ? 1u : (uint)d;
      o[i * 8] = (i / n) * d + i % n;
      o[i * 8 + 1] = (least / m) * d + least % m;
      o[i * 8 + 2] = (i / u) * d + i % u;
      o[i * 8 + 3] = (i / v) * d + i % v;
      o[i * 8 + 4] = i / n;
      o[i * 8 + 5] = least / m;
      o[i * 8 + 6] = i / u;
      o[i * 8 + 7] = i / v;
    })",
                                     "k");
  const auto buffer = session.buffer(std::vector<cl_int>(512));
  test::set_arguments(kernel, buffer, 0);
  session.run(kernel, 64);
  const auto results = session.read<cl_int>(buffer, 512);
  int wrong = 0;
  for (int i = 0; i < 64; ++i) {
    const int least = std::numeric_limits<int>::min() + i;
    const int expected[] = {0, 0, 0, 0, i, least, i, i};
    for (std::size_t k = 0; k < 8; ++k)
      wrong += results[static_cast<std::size_t>(i) * 8 + k] != expected[k];
  }
  CHECK(wrong == 0);
}

#include "random_arguments.hpp"

#include <algorithm>
#include <limits>

namespace maths {

namespace {

constexpr Real pi = 3.14159265358979323846264338327950288L;
constexpr Real ln2 = 0.693147180559945309417232121458176568L;

} // namespace

RandomArguments::RandomArguments(const Format& format, std::uint64_t index)
    : format_(format), state_(index * 0xd1342543de82ef95) {
  constexpr std::uint64_t block_size = 64;
  const std::uint64_t block = index / block_size;
  block_ = block % 4 == 3 ? next() : block * 0x2545f4914f6cdd1d + 1;
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
std::uint64_t RandomArguments::next(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double RandomArguments::unit() {
  return double(next() >> 11) * 0x1p-53;
}

int RandomArguments::between(int low, int high) {
  return low + int(next() % std::uint64_t(high - low + 1));
}

int RandomArguments::kind(int count) {
  return int(next(block_) % std::uint64_t(count));
}

Real RandomArguments::near_one() {
  return format_.rounded(1 + std::ldexp(Real(unit()) - Real(0.5), -between(0, format_.digits)));
}

Real RandomArguments::near_special() {
  switch (kind(6)) {
  case 0: // multiples of 1/2
    return between(-32, 32) * Real(0.5) + std::ldexp(Real(unit()) - Real(0.5), -8);
  case 1: // multiples of pi/2
    return std::floor(std::ldexp(Real(unit()), 1 + kind(40))) * (pi / 2) * (next() & 1 ? 1 : -1);
  case 2: // multiples of ln2 / 2
    return between(-2200, 2200) * (ln2 / 2);
  case 3: { // cubes, whose cube roots are exact
    const Real n = between(1, 1 << (format_.digits / 3));
    return std::ldexp(n * n * n, 3 * between(-8, 8));
  }
  case 4: // squares
  {
    const Real n = between(1, 1 << std::min(format_.digits / 2, 30));
    return std::ldexp(n * n, 2 * between(-8, 8));
  }
  default:
    return near_one();
  }
}

Real RandomArguments::number() {
  const Real x = unit();
  Real result;
  switch (kind(12)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return format_.from_bits(next());
  case 4:
    result = x * 2 - 1;
    break;
  case 5:
    result = x * 20 - 10;
    break;
  case 6:
    result = x * 400 - 200;
    break;
  case 7: // the exponentials' range
    result = (x - Real(0.5)) * 2 * (format_.largest + format_.digits);
    break;
  case 8:
    result = std::ldexp(x + Real(0.5), between(-30, 10));
    break;
  default:
    result = near_special();
  }
  return format_.rounded(result);
}

Real RandomArguments::integer() {
  switch (kind(4)) {
  case 0:
    return Real(std::int32_t(next()));
  case 1:
    return between(-200, 200);
  default:
    return between(-12, 12);
  }
}

Real RandomArguments::logarithm_of_result() {
  const Real spread = Real(unit()) * 4 - 2;
  switch (kind(4)) {
  case 0:
    return ln2 * (format_.largest + 1 + spread / 16);
  case 1:
    return ln2 * (format_.smallest + spread);
  case 2:
    return ln2 * (format_.smallest - format_.digits + spread);
  default:
    return ln2 * (format_.smallest - format_.digits +
                  Real(unit()) * (format_.largest - format_.smallest + format_.digits));
  }
}

/// Powers of small integers and of their fractions, whose results are often exact or halfway between two numbers.
Pair RandomArguments::small_integers() {
  const Real x = std::ldexp(Real(between(-64, 64)), between(-4, 4));
  const Real y = between(-40, 40);
  return {x, next() & 1 ? y : std::ldexp(y, -between(1, 3))};
}

Pair RandomArguments::near_overflow() {
  const Real angle = Real(unit()) * 2 * pi, scale = Real(0.9) + Real(unit()) * Real(0.2);
  const int exponent = next() & 1 ? format_.largest + 1 : format_.smallest + between(-format_.digits, 2);
  const Real radius = std::ldexp(scale, exponent);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

Pair RandomArguments::pair() {
  Pair result{number(), number()};
  switch (kind(16)) {
  case 0: // close to each other
    result.y = format_.after(result.x, between(-4, 4));
    break;
  case 1: // a multiple, or halfway between two
    result.x = result.y * (between(-0x100000, 0x100000) * Real(0.5));
    break;
  case 2: // sizes that differ by some bits
    result.y =
        std::ldexp(result.x * (Real(unit()) + Real(0.5)), between(-format_.digits - 4, format_.digits + 4));
    break;
  case 3: // pow of numbers close to 1
    result.x = near_one();
    result.y = logarithm_of_result() / std::log(result.x);
    break;
  case 4: // pow with results at the ends of the range
    result.x = std::fabs(result.x);
    result.y = logarithm_of_result() / std::log(result.x);
    break;
  case 5:
    result = small_integers();
    break;
  case 6:
    result = near_overflow();
    break;
  case 7: // the largest quotients
    result = {std::ldexp(Real(unit()) + 1, format_.largest), Real(between(1, 1000)) * format_.from_bits(1)};
    break;
  case 8: // pow with odd and even exponents near the largest odd integer of the type
    result = {-near_one(), std::ldexp(Real(1), format_.digits - between(0, 1)) + between(-3, 3)};
    break;
  default:
    break;
  }
  return {format_.rounded(result.x), format_.rounded(result.y)};
}

Pair RandomArguments::with_integer() {
  Pair result{number(), integer()};
  switch (kind(8)) {
  case 0: // pown of numbers close to 1
    result.x = near_one();
    result.y = logarithm_of_result() / std::log(result.x);
    break;
  case 1: // pown with results at the ends of the range
    result.y = logarithm_of_result() / std::log(std::fabs(result.x));
    break;
  case 2: { // ldexp with results at the ends of the range
    const int boundary = next() & 1 ? format_.largest : format_.smallest - between(0, format_.digits);
    if (result.x != 0 && std::isfinite(result.x)) result.y = boundary - std::ilogb(result.x) + between(-2, 2);
    break;
  }
  case 3: // rootn of powers
    result.y = between(2, 6);
    result.x = std::pow(Real(between(-40, 40)), result.y);
    break;
  default:
    break;
  }
  using Limits = std::numeric_limits<int>;
  result.y =
      std::isnan(result.y) ? 1 : std::clamp(std::rint(result.y), Real(Limits::min()), Real(Limits::max()));
  return {format_.rounded(result.x), result.y};
}

} // namespace maths

#include "arguments.hpp"

#include "random_arguments.hpp"

#include <limits>
#include <utility>

namespace maths {

namespace {

constexpr Real pi = 3.14159265358979323846264338327950288L;
constexpr Real ln2 = 0.693147180559945309417232121458176568L;
constexpr Real log10_of_2 = 0.301029995663981195213738894724493027L;

/// Numbers at which functions change: where results overflow, become subnormal or round to 0 or 1, for each type.
constexpr Real turning_points[] = {
    0.25L, 0.5L, 0.70710678118654752L, 1.4142135623730950L, 1.5L, 2.5L, 8.5L, 23, 31, 32, 33, 63, 64, 65,
    // lgamma and tgamma: the minimum, and 171.6, 35.04 and 9.58, from which on tgamma overflows
    1.46163214496836234L, 171.6243769563027L, 35.040096L, 9.584L, -170.5L, -177.8L, -184.1L, -38.5L, -42.2L,
    2.5563e305L, 4.0850e36L,
    // exponentials
    709.782712893384L, 710.475860073944L, -708.396418532264L, -745.133219101941L, 88.7228394L, 89.4159927L,
    -87.3365479L, -103.972084L, 11.0898665L, 11.783L, -9.7L, -17.33L, 308.254715559917L, -307.652655568588L,
    -323.306215343116L, 38.5318394L, -37.9297795L, -44.8534698L, 4.81616L, -4.515L, -7.22L, 1024, -1022,
    -1074, -1075, 128, -126, -149, -150, 16, -14, -24, -25,
    // 1 - tanh, erfc, expm1 + 1
    9.01L, 19.06L, 3.83L, 5.92L, 26.5432L, 27.2264L, 9.1945L, 10.0546L, 3.1L, -16.64L, -36.74L, -7.6L,
    // sin, cos and tan: 2^17 (float) and 2^33 (double), where the reduction changes, and larger arguments
    0x1p17L, 0x1p33L, 0x1p20L, 0x1p49L};

__extension__ using Wide = unsigned __int128;

/// Binary digits: 64 zeros, then those of 2/pi.
constexpr std::uint64_t two_over_pi[] = {0,
                                         0xa2f9836e4e441529,
                                         0xfc2757d1f534ddc0,
                                         0xdb6295993c439041,
                                         0xfe5163abdebbc561,
                                         0xb7246e3a424dd2e0,
                                         0x06492eea09d1921c,
                                         0xfe1deb1cb129a73e,
                                         0xe88235f52ebb4484,
                                         0xe99c7026b45f7e41,
                                         0x3991d639835339f4,
                                         0x9c845f8bbdf9283b,
                                         0x1ff897ffde05980f,
                                         0xef2f118b5a0a6d1f,
                                         0x6d367ecf27cb09b7,
                                         0x4f463f669e5fea2d,
                                         0x7527bac7ebe5f17b,
                                         0x3d0739f78a5292ea,
                                         0x6bfb5fb11f8d5d08,
                                         0x56033046fc7b6bab};

/// The m of at most `bits` bits for which m 2^exponent is closest to a multiple of pi/2, for exponent >= -64: the
/// largest such denominator in the continued fraction of 2^exponent 2/pi modulo 1. 127 digits of this number are
/// enough.
Real hard_significand(int exponent, int bits) {
  const std::uint64_t* digits = two_over_pi + (exponent + 64) / 64;
  const int skipped = exponent & 63;
  Wide fraction = ((Wide(digits[0]) << 64) | digits[1]) << skipped;
  if (skipped) fraction |= digits[2] >> (64 - skipped);
  Wide dividend = Wide(1) << 127, divisor = fraction >> 1, before = 0, denominator = 1;
  while (divisor) {
    const Wide next = dividend / divisor * denominator + before;
    if (next >> bits) break;
    before = std::exchange(denominator, next);
    dividend = std::exchange(divisor, dividend % divisor);
  }
  return Real(denominator);
}

/// Lists numbers that the type can represent, of both signs.
class Numbers {
public:
  explicit Numbers(const Format& format) : format_(format) {}
  /// x, and the `distance` numbers at each side of it.
  void around(Real x, int distance) {
    const Real beyond = format_.beyond();
    if (!(std::fabs(x) < beyond)) return;
    for (int i = -distance; i <= distance; ++i) {
      const Real near = format_.after(format_.rounded(std::fabs(x)), i);
      if (x == 0 && i < 0) continue;
      list.push_back(near);
      list.push_back(-near);
    }
  }
  std::vector<Real> list;

private:
  const Format& format_;
};

/// Values that are combined with each other for functions of two arguments.
std::vector<Real> special_values(const Format& format) {
  Numbers numbers(format);
  const Real tiny = std::ldexp(Real(1), format.smallest);
  numbers.list.push_back(NAN);
  numbers.list.push_back(HUGE_VALL);
  numbers.list.push_back(-HUGE_VALL);
  numbers.around(0, 2);
  numbers.around(format.beyond() - format.ulp(format.largest), 0);
  for (const Real x : {tiny / 64, 4 * tiny, Real(0.25), Real(0.70710678118654752L), Real(3), Real(5), Real(7),
                       Real(8.5), pi / 4, pi / 2, pi, 2 * pi, Real(88.72), Real(127), Real(149), Real(709.78),
                       std::ldexp(Real(1), format.digits / 2), std::ldexp(Real(1), format.digits + 1)})
    numbers.around(x, 1);
  for (const Real x : {tiny, Real(0.5), Real(1), Real(1.5), Real(2), Real(2.5), Real(4),
                       std::ldexp(Real(1), format.digits - 1), std::ldexp(Real(1), format.digits),
                       std::ldexp(Real(1), format.largest)})
    numbers.around(x, 2);
  return numbers.list;
}

/// Arguments of functions of one argument.
std::vector<Real> structured_values(const Format& format) {
  Numbers numbers(format);
  numbers.list = special_values(format);
  numbers.around(0, 8);
  numbers.around(1, 64);
  for (const Real x : turning_points)
    numbers.around(x, 4);
  for (int exponent = -format.digits; exponent <= format.largest; ++exponent)
    for (const int bits : {11, 24, 53})
      if (bits <= format.digits) numbers.around(std::ldexp(hard_significand(exponent, bits), exponent), 0);
  for (int exponent = format.smallest - format.digits; exponent <= format.largest; ++exponent)
    numbers.around(std::ldexp(Real(1), exponent), 1);
  for (int n = 0; n <= 200; ++n) {
    numbers.around(n * Real(0.5), 2); // halfway for rint, poles of tgamma and tanpi
    numbers.around(n * pi / 2, 1);
    numbers.around(n * ln2 / 2, 1);
    numbers.around(n * log10_of_2, 1);
    numbers.around(Real(n) * n * n, 1);
    numbers.around(Real(n) * n * std::ldexp(Real(1), -2 * format.digits / 3), 1);
  }
  return numbers.list;
}

constexpr int special_integers[] = {0,
                                    1,
                                    -1,
                                    2,
                                    -2,
                                    3,
                                    -3,
                                    4,
                                    5,
                                    -5,
                                    7,
                                    8,
                                    10,
                                    23,
                                    24,
                                    31,
                                    52,
                                    53,
                                    126,
                                    127,
                                    -127,
                                    128,
                                    -126,
                                    -149,
                                    -150,
                                    -1022,
                                    1023,
                                    1024,
                                    -1074,
                                    -1075,
                                    2097,
                                    -2098,
                                    3000,
                                    -3000,
                                    0xffff,
                                    40000,
                                    -40000,
                                    16777215,
                                    16777217,
                                    -16777217,
                                    std::numeric_limits<int>::max(),
                                    std::numeric_limits<int>::max() - 1,
                                    std::numeric_limits<int>::min() + 1,
                                    std::numeric_limits<int>::min()};

std::vector<Pair> fixed_arguments(const Function& function, const Format& format) {
  std::vector<Pair> result;
  if (function.second_argument == Kind::none)
    for (const Real x : structured_values(format))
      result.push_back({x, 0});
  const std::vector<Real> special = special_values(format);
  if (function.second_argument == Kind::real)
    for (const Real x : special)
      for (const Real y : special)
        result.push_back({x, y});
  if (function.second_argument == Kind::integer)
    for (const Real x : special)
      for (const int n : special_integers)
        result.push_back({x, Real(n)});
  if (function.low < function.high)
    std::erase_if(result,
                  [&](const Pair& pair) { return !(pair.x >= function.low && pair.x <= function.high); });
  return result;
}

} // namespace

Arguments::Arguments(const Function& function, const Format& format, const Amount& amount)
    : function_(function),
      format_(format),
      fixed_(fixed_arguments(function, format)),
      random_(amount.random) {
  if (function.second_argument != Kind::none || function.low < function.high) return;
  if (format.size == 2) {
    patterns_ = 0x10000;
    random_ = 0;
  } else if (format.size == 4 && amount.stride) {
    stride_ = amount.stride;
    patterns_ = (0xffffffff / stride_) + 1;
    if (stride_ == 1) random_ = 0;
  }
}

Pair Arguments::operator[](std::size_t index) const {
  if (index < fixed_.size()) return fixed_[index];
  index -= fixed_.size();
  if (index < patterns_) return {format_.from_bits(index * stride_), 0};
  index -= patterns_;
  if (function_.low < function_.high) return in_range(index);
  RandomArguments random(format_, index);
  return function_.second_argument == Kind::none   ? Pair{random.number(), 0}
         : function_.second_argument == Kind::real ? random.pair()
                                                   : random.with_integer();
}

Pair Arguments::in_range(std::size_t index) const {
  const Real width = Real(function_.high) - function_.low;
  RandomArguments random(format_, index);
  const Real part = index % 2 ? Real(random.unit()) : Real(index) / Real(random_);
  Real x = format_.rounded(function_.low + width * part);
  if (x < function_.low || x > function_.high) x = format_.after(x, std::fabs(x) > 1 ? -1 : 1);
  const Real y = function_.second_argument == Kind::none ? 0 : random.number();
  return {x, y};
}

} // namespace maths

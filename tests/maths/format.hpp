#pragma once

// The element types under test, as values: their numbers are long doubles that the type represents exactly.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace maths {

using Real = long double;

/// A floating-point type of OpenCL C.
struct Format {
  const char* name;
  int size;              ///< in bytes
  int digits;            ///< bits of the significand, the implicit bit included
  int smallest, largest; ///< exponents of the smallest normal number and of the largest number

  /// The number that has these bits.
  Real from_bits(std::uint64_t bits) const {
    if (size == 4) return std::bit_cast<float>(std::uint32_t(bits));
    if (size == 8) return std::bit_cast<double>(bits);
    return float(std::bit_cast<_Float16>(std::uint16_t(bits)));
  }
  std::uint64_t to_bits(Real x) const {
    if (size == 4) return std::bit_cast<std::uint32_t>(float(x));
    if (size == 8) return std::bit_cast<std::uint64_t>(double(x));
    return std::bit_cast<std::uint16_t>(_Float16(x));
  }
  Real rounded(Real x) const { return from_bits(to_bits(x)); }
  /// The number `steps` after x, in the order of bit patterns; x and the result have the same sign.
  Real after(Real x, std::int64_t steps) const { return from_bits(to_bits(x) + std::uint64_t(steps)); }

  /// One unit in the last place of a number with this exponent (OpenCL C 3.0, 7.4).
  Real ulp(int exponent) const {
    return std::ldexp(Real(1), (exponent < smallest ? smallest : exponent) - digits + 1);
  }
  /// The power of two above the largest number, which infinity counts as.
  Real beyond() const { return std::ldexp(Real(1), largest + 1); }
};

inline constexpr std::array<Format, 3> formats{
    {{"float", 4, 24, -126, 127}, {"double", 8, 53, -1022, 1023}, {"half", 2, 11, -14, 15}}};

} // namespace maths

#pragma once

// A set of enumerators.

#include <cstddef>
#include <cstdint>

namespace hostcl::compiler {

/// A set of enumerators, each of which has a value from 0 to 63.
template <class Enum>
class EnumSet {
public:
  constexpr EnumSet() = default;
  template <class... Enums>
  constexpr EnumSet(Enum first, Enums... more) : bits_((bit(first) | ... | bit(more))) {}
  /// @param count 1 to 64
  static constexpr EnumSet all(std::size_t count) { return of(~std::uint64_t{0} >> (64 - count)); }

  constexpr bool has(Enum one) const { return (bits_ & bit(one)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr EnumSet operator|(EnumSet other) const { return of(bits_ | other.bits_); }
  constexpr EnumSet operator-(EnumSet other) const { return of(bits_ & ~other.bits_); }
  constexpr EnumSet& operator|=(EnumSet other) { return *this = *this | other; }
  constexpr bool operator==(const EnumSet&) const = default;

private:
  static constexpr std::uint64_t bit(Enum one) { return std::uint64_t{1} << static_cast<unsigned>(one); }
  static constexpr EnumSet of(std::uint64_t bits) {
    EnumSet set;
    set.bits_ = bits;
    return set;
  }

  std::uint64_t bits_ = 0;
};

} // namespace hostcl::compiler

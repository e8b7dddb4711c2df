#pragma once

// Products of twice the width, for integers of any type and vector width.

#include "types.hpp"

namespace {

template <int Bytes, bool Signed>
struct wider;
template <>
struct wider<1, true> {
  using type = short;
};
template <>
struct wider<2, true> {
  using type = int;
};
template <>
struct wider<4, true> {
  using type = long;
};
template <>
struct wider<1, false> {
  using type = ushort;
};
template <>
struct wider<2, false> {
  using type = uint;
};
template <>
struct wider<4, false> {
  using type = ulong;
};

/// V with elements of twice the size.
template <class V>
using wide_of = with_element<V, typename wider<sizeof(element_of<V>), is_signed<V>>::type>;

/// The high 64 bits of a * b, from four products of 32 bits each (Knuth, volume 2, algorithm M).
template <class V>
V high_product_64(V a, V b) {
  V a_low = a & 0xffffffff, b_low = b & 0xffffffff;
  V a_high = a >> 32, b_high = b >> 32; // sign-extended where V is signed
  using U = uint_of<V>;
  U low = bits_as<U>(a_low) * bits_as<U>(b_low);
  V middle = a_high * b_low + bits_as<V>(low >> 32);
  V middle_low = (middle & 0xffffffff) + a_low * b_high;
  return a_high * b_high + (middle >> 32) + (middle_low >> 32);
}

/// The high half of the product.
template <class V>
V high_product(V a, V b) {
  if constexpr (sizeof(element_of<V>) == 8)
    return high_product_64(a, b);
  else
    return cast<V>((cast<wide_of<V>>(a) * cast<wide_of<V>>(b)) >> bits_of<V>);
}

template <class V>
inline constexpr __constant element_of<V> largest =
    is_signed<V> ? element_of<V>((1ul << (bits_of<V> - 1)) - 1) : element_of<V>(~0ul);
template <class V>
inline constexpr __constant element_of<V> smallest =
    is_signed<V> ? element_of<V>(1ul << (bits_of<V> - 1)) : element_of<V>(0);

} // namespace

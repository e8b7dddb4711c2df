#pragma once

// Floats with shorter significands. A bfloat16 is the upper half of a float, and a tf32 is a float whose lowest 13 bits
// are 0.

#include "types.hpp"

namespace {

/// The bits of x without the lowest `lost` bits, rounded to nearest even. A NaN stays a NaN, even if only its lost bits
/// have bits of the significand.
template <uint lost, class V>
uint_of<V> rounded_bits(V x) {
  using Bits = uint_of<V>;
  const Bits bits = bits_as<Bits>(x);
  const Bits rounded = bits + ((1u << (lost - 1)) - 1u) + ((bits >> lost) & 1u);
  const Bits quiet = bits | 0x400000u;
  return pick(x != x, quiet, rounded) & ~((1u << lost) - 1u);
}

template <class V>
with_element<V, ushort> to_bfloat16(V x) {
  return cast<with_element<V, ushort>>(rounded_bits<16>(x) >> 16u);
}

template <class V>
with_element<V, float> from_bfloat16(V x) {
  using Float = with_element<V, float>;
  return bits_as<Float>(cast<uint_of<Float>>(x) << 16u);
}

} // namespace

#pragma once

// Computes texels from coordinates: addressing modes, and the offsets of texels in memory. For all coordinates the
// result is a texel inside the image. Floating-point coordinates are clamped before they are converted to integers, so
// that NaN does not trap.

#include "image.hpp"

namespace {
HOSTCL_INLINE_BEGIN

/// The kind of an image type: the coordinates have `axes` components that address texels, followed by the number of the
/// layer for arrays.
template <int axes_, bool is_array_>
struct Kind {
  static constexpr int axes = axes_;
  static constexpr bool is_array = is_array_;
  static constexpr int components = axes + is_array == 3 ? 4 : axes + is_array;
  template <class E>
  using coordinates = vector_of<E, components>;
};

/// A place along an axis.
struct Place {
  int at;
  bool inside; ///< false if the border colour is read instead of a texel
};

/// Two neighbours along an axis, and the weight of the second one.
struct Places {
  Place first, second;
  float weight;
};

/// x, or 0 if it is less, or `last` if it is greater.
float within(float x, float last) {
  x = x > 0 ? x : 0; // 0 for NaN
  return x < last ? x : last;
}
template <class I>
I within(I x, I last) {
  return __builtin_elementwise_min(__builtin_elementwise_max(x, I(0)), last);
}

ulong addressing(ulong sampler) {
  return sampler & sampler_addressing_mask;
}

/// The texel for a coordinate with an integral value. Coordinates out of range give a texel of the edge, except with
/// CLAMP. With REPEAT they cannot occur here, and with NONE the result is undefined.
template <class E>
Place place(E at, int size, ulong sampler) {
  E last = E(size - 1), found = within(at, last);
  return {(int)found, addressing(sampler) != addressing_clamp || at == found};
}

/// OpenCL C 3.0, 8.1 and 8.2: u of the specification.
float scaled_coordinate(float s, int size, ulong sampler) {
  float length = size;
  if (addressing(sampler) == addressing_repeat) return (s - __builtin_elementwise_floor(s)) * length;
  if (addressing(sampler) == addressing_mirrored_repeat)
    return __builtin_elementwise_abs(s - 2.0f * __builtin_elementwise_roundeven(0.5f * s)) * length;
  return sampler & sampler_is_normalized ? s * length : s;
}

Place nearest_place(int at, int size, ulong sampler) {
  return place(at, size, sampler);
}
Place nearest_place(float s, int size, ulong sampler) {
  float at = __builtin_elementwise_floor(scaled_coordinate(s, size, sampler));
  if (addressing(sampler) == addressing_repeat) at = at < (float)size ? at : 0.0f;
  return place(at, size, sampler);
}

Places linear_places(float s, int size, ulong sampler) {
  float u = scaled_coordinate(s, size, sampler) - 0.5f;
  float first = __builtin_elementwise_floor(u), second = first + 1.0f, length = size;
  float weight = u - first;
  if (addressing(sampler) == addressing_repeat) {
    first = first < 0.0f ? length - 1.0f : first;
    second = second < length ? second : 0.0f;
  }
  return {place(first, size, sampler), place(second, size, sampler), weight};
}

int layer_at(int layer, int count) {
  return within(layer, count - 1);
}
int layer_at(float layer, int count) {
  return (int)within(__builtin_elementwise_roundeven(layer), (float)(count - 1));
}

/// Bytes from the image's first texel to a texel in row y of slice or layer z; `first` is the texel's offset within the
/// row. Offsets are signed 32-bit integers if possible, because gather instructions of hosts take such offsets.
template <class K, class I>
I distance(Descriptor image, I first, int y, int z) {
  if constexpr (K::axes > 1) first += (I)y * (I)image->row_pitch;
  if constexpr (K::axes > 2 || K::is_array) first += (I)z * (I)image->slice_pitch;
  return first;
}

template <class K>
__global uchar* texel_at(const View& view, uint bytes, int x, int y, int z) {
  if (view.is_small) return view.image->data + distance<K, int>(view.image, x * (int)bytes, y, z);
  return view.image->data + distance<K, long>(view.image, x * (long)bytes, y, z);
}

HOSTCL_INLINE_END
} // namespace

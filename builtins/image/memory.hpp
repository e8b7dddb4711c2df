#pragma once

// Texels in memory: one load or store of all channels, aligned as the channel's type.

#include "address.hpp"
#include "pixel.hpp"

namespace {
HOSTCL_INLINE_BEGIN

template <class T, int alignment>
struct aligned_type {
  typedef T type __attribute__((aligned(alignment)));
};
template <class T, int alignment>
auto at(__global uchar* p) {
  return (__global typename aligned_type<T, alignment>::type*)p;
}

/// A texel of either form.
template <class Texel>
Texel load(__global uchar* p, uint bytes, uint unit) {
  if constexpr (same<Texel, Wide>::value) {
    if (bytes == 8) return cast<uint4>(*at<ushort4, 2>(p));
    return *at<uint4, 4>(p);
  } else {
    if (bytes == 1) return {*p, 0};
    if (bytes == 2 && unit == 1) return {*at<ushort, 1>(p), 0};
    if (bytes == 2) return {*at<ushort, 2>(p), 0};
    if (bytes == 4) return {*at<uint, 1>(p), 0};
    ulong both = *at<ulong, 4>(p);
    return {(uint)both, (uint)(both >> 32)};
  }
}

void store(__global uchar* p, uint bytes, uint, Wide texel) {
  if (bytes == 8)
    *at<ushort4, 2>(p) = cast<ushort4>(texel);
  else
    *at<uint4, 4>(p) = texel;
}
void store(__global uchar* p, uint bytes, uint unit, Narrow texel) {
  if (bytes == 1)
    *p = texel.x;
  else if (bytes == 2 && unit == 1)
    *at<ushort, 1>(p) = texel.x;
  else if (bytes == 2)
    *at<ushort, 2>(p) = texel.x;
  else if (bytes == 4)
    *at<uint, 1>(p) = texel.x;
  else
    *at<ulong, 4>(p) = texel.x | (ulong)texel.y << 32;
}

/// Texel x of a row in which each `count` texels have `count` bytes with their upper 8 bits, followed by one byte with
/// the lowest bits of all of them.
template <int count>
Narrow load_raw_format(__global uchar* row, int x) {
  constexpr int low_bits = 8 / count;
  uint in_group = (uint)x % count;
  __global uchar* group = row + (uint)x / count * (count + 1);
  uint low = group[count] >> (in_group * low_bits) & ((1 << low_bits) - 1);
  return {(uint)group[in_group] << low_bits | low, 0};
}

/// The channels of a texel, or those of the border colour.
template <class Texel, class K>
Texel texel_of(const View& view, Place x, Place y, Place z) {
  uint bytes = texel_bytes(view.order, view.type);
  Texel found = load<Texel>(texel_at<K>(view, bytes, x.at, y.at, z.at), bytes, unit_bytes(view.type));
  return only_if(x.inside & y.inside & z.inside, found);
}

HOSTCL_INLINE_END
} // namespace

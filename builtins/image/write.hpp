#pragma once

// Writes of images. Texels outside are not written.

#include "channels.hpp"
#include "memory.hpp"

namespace {
HOSTCL_INLINE_BEGIN

/// Converts the colour of a write to four components. A depth becomes a colour with one channel, and
/// components of type half become float.
template <class V>
auto components(V colour) {
  if constexpr (same<V, float>::value)
    return (float4)(colour, 0.0f, 0.0f, 0.0f);
  else if constexpr (same<V, half4>::value)
    return cast<float4>(colour);
  else
    return colour;
}

template <class K, class Texel>
void store_at(const View& view, int x, int y, int z, bool inside, Texel texel) {
  uint bytes = texel_bytes(view.order, view.type);
  if (inside) store(texel_at<K>(view, bytes, x, y, z), bytes, unit_bytes(view.type), texel);
}

template <class K, class V>
void write(const View& view, typename K::template coordinates<int> coordinates, V colour) {
  int x = get(coordinates, 0), y = 0, z = 0;
  bool inside = (uint)x < (uint)view.image->width;
  if constexpr (K::axes > 1) {
    y = get(coordinates, 1);
    inside &= (uint)y < (uint)view.image->height;
  }
  if constexpr (K::axes > 2 || K::is_array) {
    z = get(coordinates, K::axes > 2 ? 2 : K::axes);
    inside &= (uint)z < (uint)(K::is_array ? view.image->layers : view.image->depth);
  }
  auto stored = stored_of(components(colour), view.order);
  if (is_wide(view.order, view.type))
    store_at<K>(view, x, y, z, inside, wide_texel(stored, view.order, view.type));
  else
    store_at<K>(view, x, y, z, inside, narrow_texel(stored, view.order, view.type));
}

HOSTCL_INLINE_END
} // namespace

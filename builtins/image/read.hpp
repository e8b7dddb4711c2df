#pragma once

// Reads of images: finds the texels that a coordinate and a sampler select, filters them, and returns the
// colour.

#include "channels.hpp"
#include "memory.hpp"

namespace {
HOSTCL_INLINE_BEGIN

/// The sampler for reads without a sampler: nearest, not normalised, CLK_ADDRESS_NONE.
constexpr ulong no_sampler = 0;

/// Channels as a colour of type R. The depth of a texel is a float.
template <class R>
R as_colour(float4 channels, uint order) {
  if constexpr (same<R, float>::value)
    return channels.x;
  else
    return cast<R>(colour_of(channels, order));
}

template <class K, class C>
Place layer_place(const View& view, C coordinates) {
  if constexpr (K::is_array)
    return {layer_at(get(coordinates, K::axes), view.image->layers), true};
  else
    return {0, true};
}

struct Spot {
  Place x, y, z;
};

template <class K, class C>
Spot nearest_spot(const View& view, ulong sampler, C coordinates) {
  Place x = nearest_place(get(coordinates, 0), view.image->width, sampler);
  Place y = {0, true}, z = layer_place<K>(view, coordinates);
  if constexpr (K::axes > 1) y = nearest_place(get(coordinates, 1), view.image->height, sampler);
  if constexpr (K::axes > 2) z = nearest_place(get(coordinates, 2), view.image->depth, sampler);
  return {x, y, z};
}

/// The texels i0 to k1 of the specification, along each axis. Axes that the image type lacks have one texel.
struct Area {
  Places x, y, z;
};

template <class K, class C>
Area linear_area(const View& view, ulong sampler, C coordinates) {
  Place layer = layer_place<K>(view, coordinates);
  Places x = linear_places(get(coordinates, 0), view.image->width, sampler), y = {}, z = {layer, layer, 0.0f};
  if constexpr (K::axes > 1) y = linear_places(get(coordinates, 1), view.image->height, sampler);
  if constexpr (K::axes > 2) z = linear_places(get(coordinates, 2), view.image->depth, sampler);
  return {x, y, z};
}

template <class Texel, class K, class Sum>
Sum weighted_texel(Sum sum, const View& view, Place x, Place y, Place z, float weight) {
  Texel found = texel_of<Texel, K>(view, x, y, z);
  return weighted_sum(sum, unscaled_channels(found, view.order, view.type), weight);
}

/// The two or four texels of a slice or layer.
template <class Texel, class K, class Sum>
Sum weighted_slice(Sum sum, const View& view, Places x, Places y, Place z, float weight) {
  float second = weight * x.weight, first = weight * (1.0f - x.weight);
  if constexpr (K::axes == 1) {
    sum = weighted_texel<Texel, K>(sum, view, x.first, {0, true}, z, first);
    return weighted_texel<Texel, K>(sum, view, x.second, {0, true}, z, second);
  } else {
    float upper = 1.0f - y.weight, lower = y.weight;
    sum = weighted_texel<Texel, K>(sum, view, x.first, y.first, z, first * upper);
    sum = weighted_texel<Texel, K>(sum, view, x.second, y.first, z, second * upper);
    sum = weighted_texel<Texel, K>(sum, view, x.first, y.second, z, first * lower);
    return weighted_texel<Texel, K>(sum, view, x.second, y.second, z, second * lower);
  }
}

/// Adds up weighted texels instead of interpolating by differences, which could overflow. The scale of
/// normalised formats is applied to the sum.
template <class Texel, class K>
float4 linear_channels(const View& view, const Area& area) {
  using Sum = decltype(unscaled_channels(Texel(), 0, 0));
  Sum sum = {};
  if constexpr (K::axes > 2) {
    sum = weighted_slice<Texel, K>(sum, view, area.x, area.y, area.z.first, 1.0f - area.z.weight);
    sum = weighted_slice<Texel, K>(sum, view, area.x, area.y, area.z.second, area.z.weight);
  } else {
    sum = weighted_slice<Texel, K>(sum, view, area.x, area.y, area.z.first, 1.0f);
  }
  return scaled_channels(sum, view.order, view.type);
}

template <class Texel, class K>
float4 nearest_channels(const View& view, const Spot& spot) {
  Texel found = texel_of<Texel, K>(view, spot.x, spot.y, spot.z);
  return scaled_channels(unscaled_channels(found, view.order, view.type), view.order, view.type);
}

template <class K, class C>
float4 sampled_channels(const View& view, ulong sampler, C coordinates) {
  if constexpr (is_float<C>)
    if (sampler & sampler_is_linear) {
      Area area = linear_area<K>(view, sampler, coordinates);
      if (is_wide(view.order, view.type)) return linear_channels<Wide, K>(view, area);
      return linear_channels<Narrow, K>(view, area);
    }
  Spot spot = nearest_spot<K>(view, sampler, coordinates);
  if (is_wide(view.order, view.type)) return nearest_channels<Wide, K>(view, spot);
  return nearest_channels<Narrow, K>(view, spot);
}

Narrow raw_texel(const View& view, const Spot& spot) {
  __global uchar* row = view.image->data + spot.y.at * view.image->row_pitch;
  bool inside = spot.x.inside & spot.y.inside;
  if (view.type == unsigned_int_raw10) return only_if(inside, load_raw_format<4>(row, spot.x.at));
  return only_if(inside, load_raw_format<2>(row, spot.x.at));
}

/// Integer formats are not filtered.
template <class K, class C>
uint4 sampled_codes(const View& view, ulong sampler, C coordinates) {
  Spot spot = nearest_spot<K>(view, sampler, coordinates);
  if constexpr (K::axes == 2 && !K::is_array)
    if (is_raw(view.type)) return unsigned_channels(raw_texel(view, spot), view.type);
  if (is_wide(view.order, view.type))
    return unsigned_channels(texel_of<Wide, K>(view, spot.x, spot.y, spot.z), view.type);
  return unsigned_channels(texel_of<Narrow, K>(view, spot.x, spot.y, spot.z), view.type);
}
template <class K, class C>
int4 sampled_integers(const View& view, ulong sampler, C coordinates) {
  Spot spot = nearest_spot<K>(view, sampler, coordinates);
  if (is_wide(view.order, view.type))
    return signed_channels(texel_of<Wide, K>(view, spot.x, spot.y, spot.z), view.type);
  return signed_channels(texel_of<Narrow, K>(view, spot.x, spot.y, spot.z), view.type);
}

template <class R, class K, class C>
R sample(const View& view, ulong sampler, C coordinates) {
  if constexpr (is_float<R>)
    return as_colour<R>(sampled_channels<K>(view, sampler, coordinates), view.order);
  else if constexpr (is_signed<R>)
    return colour_of(sampled_integers<K>(view, sampler, coordinates), view.order);
  else
    return colour_of(sampled_codes<K>(view, sampler, coordinates), view.order);
}

HOSTCL_INLINE_END
} // namespace

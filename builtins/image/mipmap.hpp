#pragma once

// Levels of detail (cl_khr_mipmap_image): chooses the mipmap levels that a read uses.

#include "../math/log.hpp"
#include "read.hpp"
#include "write.hpp"

namespace {
HOSTCL_INLINE_BEGIN

View level_of(View view, int level) {
  view.image = view.image->level_table + level;
  return view;
}

int last_level(const View& view) {
  return (int)view.image->levels - 1;
}

/// The level of detail within the limits of the sampler.
float limited(float lod, ulong sampler) {
  uint least = sampler >> sampler_lod_min_shift & 0xffff, greatest = sampler >> sampler_lod_max_shift;
  float low = least * (1.0f / sampler_lod_unit), high = greatest * (1.0f / sampler_lod_unit);
  return clamp_or_low(lod, low, greatest == sampler_lod_unlimited ? 0x1p20f : high);
}

/// The filter `nearest` uses the level to which the level of detail is rounded, with halves rounded down; the filter
/// `linear` interpolates between two levels.
template <class R, class K, class C>
R sample_level(const View& view, ulong sampler, C coordinates, float lod) {
  float wanted = within(limited(lod, sampler), (float)last_level(view));
  int nearest = within((int)__builtin_elementwise_ceil(wanted - 0.5f), last_level(view));
  if constexpr (is_float<R>) {
    bool is_linear = sampler & sampler_is_mip_linear;
    int first = is_linear ? (int)wanted : nearest;
    float4 x = sampled_channels<K>(level_of(view, first), sampler, coordinates);
    if (is_linear) {
      int second = within(first + 1, last_level(view));
      float weight = wanted - (float)first;
      float4 y = sampled_channels<K>(level_of(view, second), sampler, coordinates);
      x = __builtin_elementwise_fma(y, (float4)weight, x * (1.0f - weight));
    }
    return as_colour<R>(x, view.order);
  } else {
    return sample<R, K>(level_of(view, nearest), sampler, coordinates);
  }
}

/// The square of the length of a gradient, in texels.
template <class K, class V>
float squared_length(const View& view, ulong sampler, V gradient) {
  bool normalized = sampler & sampler_is_normalized;
  float x = get(gradient, 0) * (normalized ? (float)view.image->width : 1.0f), sum = x * x;
  if constexpr (K::axes > 1) {
    float y = get(gradient, 1) * (normalized ? (float)view.image->height : 1.0f);
    sum = sum + y * y;
  }
  if constexpr (K::axes > 2) {
    float z = get(gradient, 2) * (normalized ? (float)view.image->depth : 1.0f);
    sum = sum + z * z;
  }
  return sum;
}

/// The level of detail as OpenGL defines it: the logarithm of the length of the longer gradient.
template <class K, class V>
float lod_of(const View& view, ulong sampler, V gradient_x, V gradient_y) {
  float x = squared_length<K>(view, sampler, gradient_x), y = squared_length<K>(view, sampler, gradient_y);
  return 0.5f * log2_of(x > y ? x : y);
}

HOSTCL_INLINE_END
} // namespace

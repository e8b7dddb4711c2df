#pragma once

// Converts the codes of channels (the bits in memory) to numbers, and numbers to codes.

#include "pixel.hpp"
#include "srgb.hpp"

namespace {
HOSTCL_INLINE_BEGIN

bool is_snorm(uint type) {
  return type == snorm_int8 || type == snorm_int16;
}
bool is_srgb(uint order) {
  return order == order_srgba || order == order_sbgra;
}

/// Divides by the maximum: multiplies by 1 / maximum, which is stored as the sum of two numbers. The result is the
/// correctly rounded quotient for all codes of all formats.
struct Scale {
  float high, low;
};

/// Indexed by the number of bits of the largest code.
struct Scales {
  Scale of[32];
  constexpr Scales() : of() {
    for (int bits = 1; bits < 32; ++bits) {
      double exact = 1.0 / (double)((1ul << bits) - 1);
      of[bits] = {(float)exact, (float)(exact - (double)(float)exact)};
    }
  }
};
inline constexpr __constant Scales scales = Scales();

Scale scale_of(uint type, uint bits) {
  uint row = (bits - is_snorm(type)) & 31;
  return {scales.of[row].high, scales.of[row].low};
}

template <class F>
F scaled(F x, Field field, uint type) {
  if (type == single_float || type == half_float) return x;
  Scale scale = scale_of(type, field.bits);
  return __builtin_elementwise_fma(x, F(scale.high), x * scale.low);
}

/// Four channels as separate members instead of a vector, so that code for several work-items has one vector per
/// channel.
struct Channels {
  float x, y, z, w;
};

int least_code(uint type) {
  return type == snorm_int8 ? -127 : -32767;
}
float half_of(uint bits) {
  return bits_as<half>((ushort)bits);
}

/// The channels as numbers. For normalised formats, `scaled_channels` multiplies them by a factor after filtering.
/// Narrow texels with 16 or 32 bits per channel have at most two channels.
Channels unscaled_channels(Narrow texel, uint order, uint type) {
  if (type == single_float) return {bits_as<float>(texel.x), bits_as<float>(texel.y), 0.0f, 0.0f};
  if (type == half_float) return {half_of(texel.x), half_of(texel.x >> 16), 0.0f, 0.0f};
  if (is_snorm(type)) {
    int4 codes = signed_channels(texel, type);
    int least = least_code(type);
    return {
        (float)__builtin_elementwise_max(codes.x, least), (float)__builtin_elementwise_max(codes.y, least),
        (float)__builtin_elementwise_max(codes.z, least), (float)__builtin_elementwise_max(codes.w, least)};
  }
  uint4 codes = unsigned_channels(texel, type);
  float fourth = (int)codes.w;
  if (is_srgb(order))
    return {srgb_to_linear[codes.x & 255], srgb_to_linear[codes.y & 255], srgb_to_linear[codes.z & 255],
            fourth};
  return {(float)(int)codes.x, (float)(int)codes.y, (float)(int)codes.z, fourth};
}

float4 unscaled_channels(Wide texel, uint, uint type) {
  if (type == single_float) return bits_as<float4>(texel);
  if (type == half_float) return cast<float4>(bits_as<half4>(cast<ushort4>(texel)));
  if (is_snorm(type))
    return cast<float4>(__builtin_elementwise_max(signed_channels(texel, type), (int4)(least_code(type))));
  return cast<float4>(bits_as<int4>(unsigned_channels(texel, type)));
}

template <int c>
float scaled_channel(float x, uint order, uint type) {
  return is_srgb(order) && c < 3 ? x : scaled(x, field_of<c>(type), type);
}
float4 scaled_channels(Channels x, uint order, uint type) {
  return {scaled_channel<0>(x.x, order, type), scaled_channel<1>(x.y, order, type),
          scaled_channel<2>(x.z, order, type), scaled_channel<3>(x.w, order, type)};
}
float4 scaled_channels(float4 x, uint, uint type) {
  return scaled(x, field_of<0>(type), type);
}

/// sum + weight * x
Channels weighted_sum(Channels sum, Channels x, float weight) {
  return {__builtin_elementwise_fma(x.x, weight, sum.x), __builtin_elementwise_fma(x.y, weight, sum.y),
          __builtin_elementwise_fma(x.z, weight, sum.z), __builtin_elementwise_fma(x.w, weight, sum.w)};
}
float4 weighted_sum(float4 sum, float4 x, float weight) {
  return __builtin_elementwise_fma(x, (float4)(weight), sum);
}

/// x within [low, high], and low for NaN.
template <class F>
F clamp_or_low(F x, element_of<F> low, element_of<F> high) {
  x = pick(x > low, x, F(low));
  return pick(x < high, x, F(high));
}

/// The codes of numbers in a normalised field, rounded to nearest even: the sum with a large number has them as its last
/// bits.
template <class F>
uint_of<F> normalized_code(F x, Field field, uint type) {
  uint mask = ~0u >> (32 - field.bits);
  F greatest = (float)(int)(is_snorm(type) ? mask >> 1 : mask);
  F signed_part = clamp_or_low(pick(x == x, x, F(0)), -1.0f, 1.0f) * greatest + 0x1.8p23f;
  F unsigned_part = clamp_or_low(x, 0.0f, 1.0f) * greatest + 0x1p23f;
  return bits_as<uint_of<F>>(is_snorm(type) ? signed_part : unsigned_part) & mask;
}
uint srgb_code(float x) {
  return bits_as<uint>(linear_to_srgb(clamp_or_low(x, 0.0f, 1.0f)) + 0x1p23f) & 255;
}
uint half_code(float x) {
  return bits_as<ushort>((half)x);
}
template <class V>
uint_of<V> saturated(V x, Field field) {
  if constexpr (is_signed<V>) {
    V greatest = (int)(~0u >> (33 - field.bits));
    V inside = __builtin_elementwise_min(__builtin_elementwise_max(x, -greatest - 1), greatest);
    return bits_as<uint_of<V>>(inside) & (~0u >> (32 - field.bits));
  } else {
    return __builtin_elementwise_min(x, V(~0u >> (32 - field.bits)));
  }
}

/// A texel of these numbers.
Narrow narrow_texel(float4 x, uint order, uint type) {
  if (type == single_float) return {bits_as<uint>(x.x), bits_as<uint>(x.y)};
  if (type == half_float) return {half_code(x.x) | half_code(x.y) << 16, 0};
  uint fourth = normalized_code(x.w, field_of<3>(type), type);
  if (is_srgb(order)) return pack((uint4)(srgb_code(x.x), srgb_code(x.y), srgb_code(x.z), fourth), type);
  return pack((uint4)(normalized_code(x.x, field_of<0>(type), type),
                      normalized_code(x.y, field_of<1>(type), type),
                      normalized_code(x.z, field_of<2>(type), type), fourth),
              type);
}
template <class V>
Narrow narrow_texel(V x, uint, uint type) {
  return pack((uint4)(saturated(x.x, field_of<0>(type)), saturated(x.y, field_of<1>(type)),
                      saturated(x.z, field_of<2>(type)), saturated(x.w, field_of<3>(type))),
              type);
}
Wide wide_texel(float4 x, uint, uint type) {
  if (type == single_float) return bits_as<uint4>(x);
  if (type == half_float) return cast<uint4>(bits_as<ushort4>(cast<half4>(x)));
  return normalized_code(x, field_of<0>(type), type) << field_of<0>(type).shift;
}
template <class V>
Wide wide_texel(V x, uint, uint type) {
  return saturated(x, field_of<0>(type)) << field_of<0>(type).shift;
}

HOSTCL_INLINE_END
} // namespace

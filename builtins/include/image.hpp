#pragma once

// Images and samplers as built-in functions see them, and the intrinsics for images (docs/kernel-ir.md).

#include "intrinsics.hpp"

#pragma OPENCL EXTENSION cl_khr_depth_images : enable
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
// Products and sums are not contracted, so that reads return the same texels on all hosts.
#pragma STDC FP_CONTRACT OFF

// All functions between HOSTCL_INLINE_BEGIN and HOSTCL_INLINE_END are inlined into the public functions that use them.
// The compiler makes a copy of each public function for each format and sampler, and folds most of the copy.
#define HOSTCL_INLINE_BEGIN                                                                                  \
  _Pragma("clang attribute push(__attribute__((always_inline)), apply_to = function)")
#define HOSTCL_INLINE_END _Pragma("clang attribute pop")

/// abi::Image of compiler/abi/image.hpp.
struct Image {
  __global uchar* data;
  ulong row_pitch, slice_pitch;
  int width, height, depth, layers;
  ushort order, type;
  uint texel_bytes;
  uint levels;
  uint is_small;
  __constant const Image* level_table;
};
static_assert(__builtin_offsetof(Image, slice_pitch) == 16 && __builtin_offsetof(Image, width) == 24 &&
              __builtin_offsetof(Image, order) == 40 && __builtin_offsetof(Image, levels) == 48 &&
              __builtin_offsetof(Image, level_table) == 56 && sizeof(Image) == 64);

using Descriptor = __constant const Image*;

#define HOSTCL_IMAGE_TYPES(M, access)                                                                        \
  M(access image1d_t)                                                                                        \
  M(access image1d_buffer_t)                                                                                 \
  M(access image1d_array_t)                                                                                  \
  M(access image2d_t)                                                                                        \
  M(access image2d_array_t)                                                                                  \
  M(access image2d_depth_t) M(access image2d_array_depth_t) M(access image3d_t)
#define HOSTCL_IMAGE(T) __attribute__((const, nothrow)) Descriptor __hostcl_image(T image);
HOSTCL_IMAGE_TYPES(HOSTCL_IMAGE, read_only)
HOSTCL_IMAGE_TYPES(HOSTCL_IMAGE, write_only)
HOSTCL_IMAGE_TYPES(HOSTCL_IMAGE, read_write)
#undef HOSTCL_IMAGE

HOSTCL_PURE uint __hostcl_image_order(Descriptor image);
HOSTCL_PURE uint __hostcl_image_type(Descriptor image);
HOSTCL_PURE bool __hostcl_image_is_small(Descriptor image);
HOSTCL_PURE ulong __hostcl_sampler(sampler_t sampler);

namespace {

/// cl_channel_order, of the formats that images can have.
enum Order : uint {
  order_r = 0x10B0,
  order_a,
  order_rg,
  order_ra,
  order_rgb,
  order_rgba,
  order_bgra,
  order_argb,
  order_intensity,
  order_luminance,
  order_depth = 0x10BD,
  order_srgba = 0x10C1,
  order_sbgra,
  order_abgr,
};

/// cl_channel_type, likewise.
enum Type : uint {
  snorm_int8 = 0x10D0,
  snorm_int16,
  unorm_int8,
  unorm_int16,
  unorm_short_565,
  unorm_short_555,
  unorm_int_101010,
  signed_int8,
  signed_int16,
  signed_int32,
  unsigned_int8,
  unsigned_int16,
  unsigned_int32,
  half_float,
  single_float,
  unorm_int_101010_2 = 0x10E0,
  unorm_int10x6,
  unsigned_int_raw10 = 0x10E3,
  unsigned_int_raw12,
  unorm_int_2_101010,
  unsigned_int10x6,
  unsigned_int12x4,
  unsigned_int14x2,
  unorm_int12x4,
  unorm_int14x2,
};

/// An image as a built-in function sees it. The members are constants in code that is compiled for one format.
struct View {
  Descriptor image;
  uint order, type;
  bool is_small;

  __attribute__((always_inline)) explicit View(Descriptor from)
      : image(from),
        order(__hostcl_image_order(from)),
        type(__hostcl_image_type(from)),
        is_small(__hostcl_image_is_small(from)) {}
};

/// abi::Sampler of compiler/abi/image.hpp.
enum Sampler : ulong {
  sampler_is_normalized = 0x1,
  sampler_addressing_mask = 0xe,
  sampler_is_linear = 0x20,
  sampler_is_mip_linear = 0x100,
};
constexpr int sampler_lod_min_shift = 32, sampler_lod_max_shift = 48, sampler_lod_unit = 256;
constexpr uint sampler_lod_unlimited = 0xffff;
constexpr ulong addressing_clamp = 4, addressing_repeat = 6, addressing_mirrored_repeat = 8;

} // namespace

#pragma once

// Images and samplers as kernels see them.

#include <cstddef>
#include <cstdint>

namespace hostcl::abi {

/// An image as kernels see it. It does not change while the image object lives; the texels do.
struct alignas(64) Image {
  std::byte* data;           ///< the texel (0, 0, 0)
  std::uint64_t row_pitch;   ///< bytes from one row to the next
  std::uint64_t slice_pitch; ///< bytes from one slice of a 3D image, or layer of an array, to the next
  std::int32_t width, height, depth, layers; ///< in texels; 1 if the image type lacks the dimension
  std::uint16_t order, type;                 ///< cl_channel_order and cl_channel_type
  std::uint32_t texel_bytes;                 ///< 0 for the packed formats RAW10 and RAW12
  std::uint32_t levels;                      ///< mipmap levels, at least 1
  std::uint32_t is_small;                    ///< 1: no texel lies 2^31 bytes or more after `data`
  const Image* level_table; ///< `levels` images of one level each, the first of which equals this one
};
static_assert(sizeof(Image) == 64);

/// The value of a sampler argument. Bits 0 to 31 are OpenCL C's CLK_* constants and sampler_is_mip_linear.
/// Bits 32 to 47 are the smallest level of detail in units of 1/sampler_lod_unit, and bits 48 to 63 the
/// largest one; sampler_lod_unlimited means that there is no largest level.
using Sampler = std::uint64_t;
inline constexpr Sampler sampler_is_normalized = 0x1, sampler_addressing_mask = 0xe, sampler_is_linear = 0x20,
                         sampler_is_mip_linear = 0x100, sampler_lod_unlimited = 0xffff;
inline constexpr int sampler_lod_min_shift = 32, sampler_lod_max_shift = 48, sampler_lod_unit = 256;

} // namespace hostcl::abi

#pragma once

// Formats of images: which there are, how large their texels are, and how a colour becomes a texel.

#include "runtime/support/cl.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hostcl::runtime {

/// Bytes of the largest texel, and of the largest block.
inline constexpr std::size_t max_texel_bytes = 16;

/// A supported format. Its texels are stored in blocks of one, except for RAW10 and RAW12, which pack several.
struct ImageFormat {
  cl_image_format name;
  std::uint8_t image_types;  ///< bits of the types of images that may have it: see image_type_bit()
  bool is_writable;          ///< by kernels; all formats are readable
  std::uint8_t block_texels; ///< a power of two
  std::uint8_t block_bytes;

  /// 0 where texels do not begin at bytes.
  std::size_t texel_bytes() const { return block_texels == 1 ? block_bytes : 0; }
  /// Bytes of whole blocks. The number of texels is a multiple of block_texels.
  std::size_t bytes(std::size_t texels) const { return texels / block_texels * block_bytes; }
  /// The largest power of two that addresses and pitches are multiples of.
  std::size_t alignment() const { return block_texels == 1 ? block_bytes : 1; }
  /// Whether images of the type may have the format if they are created with these flags, of which 0 means
  /// CL_MEM_READ_WRITE, or are used as CL_MEM_KERNEL_READ_AND_WRITE says.
  bool supports(cl_mem_object_type type, cl_mem_flags flags) const;
};

/// All formats: clGetSupportedImageFormats tells of those that support its type and flags.
std::span<const ImageFormat> image_formats();
/// Null if the format is not supported at all.
const ImageFormat* find_image_format(const cl_image_format& name);
/// Whether OpenCL has the format, supported or not.
bool is_valid_image_format(const cl_image_format& name);

constexpr bool is_image_type(cl_mem_object_type type) {
  return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}
constexpr std::uint8_t image_type_bit(cl_mem_object_type type) {
  return static_cast<std::uint8_t>(1u << (type - CL_MEM_OBJECT_IMAGE2D));
}

/// Bytes of a fill colour: four components, of which DEPTH has one.
std::size_t fill_color_bytes(const ImageFormat& format);

/// A block of texels of one colour, of which format.block_bytes count.
using TexelBlock = std::array<std::byte, max_texel_bytes>;
/// @param color four floats, or four integers for formats of integers, or one float for CL_DEPTH
TexelBlock pack_color(const ImageFormat& format, const void* color);

} // namespace hostcl::runtime

#pragma once

// Image formats: which ones are supported, the size of their texels, and how a colour is encoded as a texel.

#include "runtime/support/cl.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hostcl::runtime {

/// Bytes of the largest texel, and of the largest block of texels.
inline constexpr std::size_t max_texel_bytes = 16;

/// A supported format. Texels are stored in blocks. A block is one texel, except in RAW10 and RAW12, whose
/// blocks pack several texels.
struct ImageFormat {
  cl_image_format name;
  std::uint8_t image_types;  ///< image types that may have the format, as bits: see image_type_bit()
  bool is_writable;          ///< whether kernels can write the format; they can read all formats
  std::uint8_t block_texels; ///< texels of a block: a power of two
  std::uint8_t block_bytes;

  /// Bytes of a texel; 0 if texels do not begin at whole bytes.
  std::size_t texel_bytes() const { return block_texels == 1 ? block_bytes : 0; }
  /// Bytes of so many texels, which must be a multiple of block_texels.
  std::size_t bytes(std::size_t texels) const { return texels / block_texels * block_bytes; }
  /// Addresses and pitches must be multiples of this power of two.
  std::size_t alignment() const { return block_texels == 1 ? block_bytes : 1; }
  /// Whether images of the type can have the format with these flags: flags of clCreateImage*, of which 0
  /// means CL_MEM_READ_WRITE, or CL_MEM_KERNEL_READ_AND_WRITE.
  bool supports(cl_mem_object_type type, cl_mem_flags flags) const;
};

/// All supported formats. clGetSupportedImageFormats() lists those that support a type and flags.
std::span<const ImageFormat> image_formats();
/// The supported format of this name, or null.
const ImageFormat* find_image_format(const cl_image_format& name);
/// Whether this is a format of OpenCL, supported or not.
bool is_valid_image_format(const cl_image_format& name);

constexpr bool is_image_type(cl_mem_object_type type) {
  return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}
constexpr std::uint8_t image_type_bit(cl_mem_object_type type) {
  return static_cast<std::uint8_t>(1u << (type - CL_MEM_OBJECT_IMAGE2D));
}

/// Bytes of a fill colour: four components, or one component for CL_DEPTH.
std::size_t fill_color_bytes(const ImageFormat& format);

/// A block of texels that all have the same colour. Only the first format.block_bytes bytes are used.
using TexelBlock = std::array<std::byte, max_texel_bytes>;
/// @param color four floats; four integers for integer formats; one float for CL_DEPTH
TexelBlock pack_color(const ImageFormat& format, const void* color);

} // namespace hostcl::runtime

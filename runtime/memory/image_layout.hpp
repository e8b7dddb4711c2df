#pragma once

// Sizes of an image, and where its texels lie in its storage.

#include "compiler/abi/image.hpp"
#include "runtime/memory/boxes.hpp"
#include "runtime/memory/image_format.hpp"
#include "runtime/support/result.hpp"

#include <array>
#include <cstddef>

namespace hostcl::runtime {

constexpr bool is_image_array(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}
/// Whether the image has a height; layers of an array are none.
constexpr bool has_height(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
         type == CL_MEM_OBJECT_IMAGE3D;
}
/// Whether the image is a sequence of others, at the distance of the slice pitch.
constexpr bool has_slices(cl_mem_object_type type) {
  return is_image_array(type) || type == CL_MEM_OBJECT_IMAGE3D;
}

/// A part of one mipmap level, in texels; the layer counts as the last of a texel's coordinates.
struct ImageRegion {
  std::array<std::size_t, 3> origin{}, extent{};
  cl_uint level = 0;

  /// The extent of its box.
  std::array<std::size_t, 3> extent_in_bytes(const ImageFormat& format) const {
    return {format.bytes(extent[0]), extent[1], extent[2]};
  }
};

struct ImageLayout {
  const ImageFormat* format = nullptr;
  cl_mem_object_type type = 0;
  std::size_t width = 1, height = 1, depth = 1, layers = 1; ///< 1 where the type has no such dimension
  std::size_t row_pitch = 0, slice_pitch = 0;               ///< of the first level
  cl_uint mip_levels = 0;                                   ///< as the application gave it

  bool is_mipmapped() const { return mip_levels > 1; }
  cl_uint levels() const { return is_mipmapped() ? mip_levels : 1; }
  /// Coordinates of a texel: 1, 2 or 3.
  unsigned dimensions() const;
  /// Texels along each of them.
  std::array<std::size_t, 3> extent() const;
  /// The layout of one level alone.
  ImageLayout level(cl_uint number) const;
  /// Bytes of all levels, which follow each other, or of those before one.
  std::size_t bytes() const { return bytes_before(levels()); }
  std::size_t bytes_before(cl_uint level) const;
  /// The box of a region that lies in the image.
  Box box(const ImageRegion& region) const;
  Box box_of_level(cl_uint number) const;
  /// What kernels see of this layout's first level.
  abi::Image described(std::byte* data) const;
};

} // namespace hostcl::runtime

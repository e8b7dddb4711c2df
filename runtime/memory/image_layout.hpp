#pragma once

// The sizes of an image, and the positions of its texels in its storage.

#include "compiler/abi/image.hpp"
#include "runtime/memory/image_format.hpp"
#include "runtime/memory/rects.hpp"
#include "runtime/support/result.hpp"

#include <array>
#include <cstddef>

namespace hostcl::runtime {

constexpr bool is_image_array(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}
/// Whether images of the type have a height. The layers of an array are not a height.
constexpr bool has_height(cl_mem_object_type type) {
  return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
         type == CL_MEM_OBJECT_IMAGE3D;
}
/// Whether images of the type consist of several images whose distance is the slice pitch: the layers of an
/// array, or the slices of a 3D image.
constexpr bool has_slices(cl_mem_object_type type) {
  return is_image_array(type) || type == CL_MEM_OBJECT_IMAGE3D;
}

/// A region of one mipmap level, in texels. For an array, the layer is the last coordinate.
struct ImageRegion {
  std::array<std::size_t, 3> origin{}, extent{};
  cl_uint level = 0;

  /// The extent of the region's rectangle in bytes.
  std::array<std::size_t, 3> extent_in_bytes(const ImageFormat& format) const {
    return {format.bytes(extent[0]), extent[1], extent[2]};
  }
};

/// The layout of an image with all of its mipmap levels.
struct ImageLayout {
  const ImageFormat* format = nullptr;
  cl_mem_object_type type = 0;
  std::size_t width = 1, height = 1, depth = 1, layers = 1; ///< 1 if the type has no such dimension
  std::size_t row_pitch = 0, slice_pitch = 0;               ///< of the first level
  cl_uint mip_levels = 0; ///< as the application gave it; 0 and 1 both mean a single level

  bool is_mipmapped() const { return mip_levels > 1; }
  cl_uint levels() const { return is_mipmapped() ? mip_levels : 1; }
  /// The number of coordinates of a texel, with the layer: 1, 2 or 3.
  unsigned dimensions() const;
  /// The number of texels along each coordinate.
  std::array<std::size_t, 3> extent() const;
  /// The layout of one level as an image without mipmaps.
  ImageLayout level(cl_uint number) const;
  /// Bytes of all levels, which follow each other, or of those before one.
  std::size_t bytes() const { return bytes_before(levels()); }
  /// Bytes of all levels before `level`.
  std::size_t bytes_before(cl_uint level) const;
  /// The rectangle of a region in the image's storage. The region must be within the image.
  Rect rect(const ImageRegion& region) const;
  Rect rect_of_level(cl_uint number) const;
  /// The descriptor for kernels of this layout's first level, with its texels at `data`.
  abi::Image described(std::byte* data) const;
};

} // namespace hostcl::runtime

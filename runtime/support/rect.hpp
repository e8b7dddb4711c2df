#pragma once

#include <array>
#include <cstddef>

namespace hostcl::runtime {

/// A rectangle of bytes: slices of rows at regular distances. In a rectangle of a memory object, the slice pitch is a
/// multiple of the row pitch; in host memory of an image transfer, it may be any length that is at least that of a
/// slice. end() does not overflow once the rectangle has been validated (validate::rect(),
/// validate::in_address_space()).
struct Rect {
  std::size_t first = 0;              ///< bytes from the beginning of the memory to the rectangle
  std::array<std::size_t, 3> extent;  ///< bytes of a row, rows of a slice, slices; none of them is 0
  std::size_t row_pitch, slice_pitch; ///< bytes from the start of a row or slice to the start of the next one

  /// A rectangle of one row.
  static Rect row(std::size_t first, std::size_t bytes) { return {first, {bytes, 1, 1}, bytes, bytes}; }

  std::size_t bytes() const { return extent[0] * extent[1] * extent[2]; }
  /// Bytes from the beginning of a slice to the end of its last row.
  std::size_t slice_length() const { return (extent[1] - 1) * row_pitch + extent[0]; }
  /// Bytes from the beginning of the memory to the end of the last row.
  std::size_t end() const { return first + (extent[2] - 1) * slice_pitch + slice_length(); }
  /// Whether its rows follow each other without gaps.
  bool is_dense() const {
    return (extent[1] == 1 || row_pitch == extent[0]) &&
           (extent[2] == 1 || slice_pitch == extent[0] * extent[1]);
  }
  /// The same rectangle in memory that begins `bytes` earlier.
  Rect moved(std::size_t bytes) const {
    Rect rect = *this;
    rect.first += bytes;
    return rect;
  }
};

} // namespace hostcl::runtime

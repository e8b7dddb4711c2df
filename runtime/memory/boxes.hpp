#pragma once

// Boxes: rectangular regions of memory, as clEnqueueReadBufferRect and its like describe them, in bytes.

#include "runtime/object/result.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace hostcl::runtime {

class Workers;

/// Rows of bytes at regular distances. The slice pitch is a multiple of the row pitch; end() does not overflow.
struct Box {
  std::size_t first = 0;              ///< bytes from the beginning of the memory to the box
  std::array<std::size_t, 3> extent;  ///< bytes of a row, rows of a slice, slices; none of them is 0
  std::size_t row_pitch, slice_pitch; ///< bytes from one row or slice to the next, at least as long as it

  /// A box of one row.
  static Box row(std::size_t first, std::size_t bytes) { return {first, {bytes, 1, 1}, bytes, bytes}; }

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
  /// The same box in memory that begins `bytes` earlier.
  Box moved(std::size_t bytes) const {
    Box box = *this;
    box.first += bytes;
    return box;
  }
};

/// Whether two boxes in one memory have a byte in common, as the OpenCL 3.0 API's appendix "Checking for Memory
/// Copy Overlap" has it, also for regions of an image that differ in extent. Boxes of different pitches count as
/// all bytes from the first to the last.
bool overlap(const Box& a, const Box& b);

/// Copies between boxes of the same extent that do not overlap, on several threads when that is faster.
/// @param to, from the memory that the boxes are in
void copy_box(Workers& workers, std::byte* to, const Box& to_box, const std::byte* from, const Box& from_box);

/// Fills a box with a pattern whose size divides that of its rows, on several threads when that is faster.
void fill_box(Workers& workers, std::byte* to, const Box& box, std::span<const std::byte> pattern);

/// How a call describes a box.
struct BoxArguments {
  const char* prefix; ///< that the names of its arguments have: "src_" of src_origin, src_row_pitch ...
  const std::size_t* origin;
  const std::size_t* region;
  std::size_t row_pitch, slice_pitch; ///< 0: without gaps
};

namespace validate {

/// The box, wherever it ends; CL_INVALID_VALUE if there is none.
Result<Box> box(const BoxArguments& arguments);
/// The box in a memory of `size` bytes.
Result<Box> box(const BoxArguments& arguments, std::size_t size);
/// Whether a box, whose end may overflow, in memory of the host that begins at `host` is within the address space;
/// CL_INVALID_VALUE.
Status in_address_space(const void* host, const Box& box);

} // namespace validate

} // namespace hostcl::runtime

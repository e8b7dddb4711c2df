#pragma once

// Rectangles: two- and three-dimensional regions of memory in bytes, as clEnqueueReadBufferRect and similar
// calls describe them.

#include "runtime/support/rect.hpp"
#include "runtime/support/result.hpp"

#include <cstddef>
#include <span>

namespace hostcl::runtime {

class Workers;

/// Whether two rectangles of one memory object share a byte. Follows the appendix "Checking for Memory Copy
/// Overlap" of the OpenCL 3.0 API, also for regions of an image with different extents. A rectangle whose
/// pitches differ from the other one's counts as all bytes from its first to its last.
bool overlap(const Rect& a, const Rect& b);

/// Copies a rectangle to another one of the same extent, which must not overlap it. Uses several threads if
/// that is faster.
/// @param to, from the start of the memory that contains the rectangle
void copy_rect(Workers& workers, std::byte* to, const Rect& to_rect, const std::byte* from,
               const Rect& from_rect);

/// Fills a rectangle with a pattern, whose size divides the length of a row. Uses several threads if that is
/// faster.
void fill_rect(Workers& workers, std::byte* to, const Rect& rect, std::span<const std::byte> pattern);

/// The arguments of an API call that describe a rectangle.
struct RectArguments {
  const char* prefix; ///< prefix of the arguments' names: "src_" for src_origin and src_row_pitch
  const std::size_t* origin;
  const std::size_t* region;
  std::size_t row_pitch, slice_pitch; ///< 0 if rows or slices follow each other without gaps
};

namespace validate {

/// The rectangle, which may be of any size; CL_INVALID_VALUE if the arguments describe none.
Result<Rect> rect(const RectArguments& arguments);
/// The rectangle, which must end within a memory object of `size` bytes.
Result<Rect> rect(const RectArguments& arguments, std::size_t size);
/// CL_INVALID_VALUE if a rectangle in memory of the host, which begins at `host`, does not end within the
/// address space. Computing the rectangle's end may overflow.
Status in_address_space(const void* host, const Rect& rect);

} // namespace validate

} // namespace hostcl::runtime

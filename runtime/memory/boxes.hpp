#pragma once

// Boxes: rectangular regions of memory, as clEnqueueReadBufferRect and its like describe them, in bytes.

#include "runtime/support/box.hpp"
#include "runtime/support/result.hpp"

#include <cstddef>
#include <span>

namespace hostcl::runtime {

class Workers;

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

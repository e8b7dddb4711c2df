#pragma once

// Copies and fills of memory that may cease to exist. External memory is mapped from a file, which another
// process may truncate; an access to the part that is gone raises SIGBUS, which would end the process. If the
// driver's handler is the first for SIGBUS, it ends the copy by a jump; no handler is installed for this
// purpose. Otherwise a system call does the copy: it reports an error instead, but takes two to three times
// as long. Memory that cannot shrink, such as a sealed file, is copied by rects.hpp.

#include "runtime/memory/rects.hpp"

#include <cstddef>
#include <span>

namespace hostcl::runtime {

/// Copies a rectangle to another one of the same extent, which must not overlap it. Both may be in memory
/// that has ceased to exist.
/// @returns false if a part of it has; an undefined part of the destination has been written then
bool copy_uncertain(Workers& workers, std::byte* to, const Rect& to_rect, const std::byte* from,
                    const Rect& from_rect);

/// Fills a rectangle with a pattern, whose size divides the length of a row. @returns false if a part of the
/// memory has ceased to exist
bool fill_uncertain(Workers& workers, std::byte* to, const Rect& rect, std::span<const std::byte> pattern);

} // namespace hostcl::runtime

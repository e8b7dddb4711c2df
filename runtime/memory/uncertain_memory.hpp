#pragma once

// Copies and fills of memory that may not be there: external memory is mapped from a file that others can make shorter,
// and an access to what is gone would end the process by SIGBUS. Here the driver's handler of that signal ends the copy, if it
// comes before the application's; no handler is installed for this. Otherwise the operating system makes the accesses,
// which tells an error instead, and takes two to three times as long. Memory that is certain, such as a sealed file's, is copied
// by boxes.hpp.

#include "runtime/memory/boxes.hpp"

#include <cstddef>
#include <span>

namespace hostcl::runtime {

/// Copies between boxes of the same extent that do not overlap, of which either may lie in uncertain memory.
/// @returns false if a part of one is not there; any part of the other may have been copied
bool copy_uncertain(Workers& workers, std::byte* to, const Box& to_box, const std::byte* from,
                    const Box& from_box);

/// Fills a box with a pattern whose size divides that of its rows. @returns false if a part is not there
bool fill_uncertain(Workers& workers, std::byte* to, const Box& box, std::span<const std::byte> pattern);

} // namespace hostcl::runtime

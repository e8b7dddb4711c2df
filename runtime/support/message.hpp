#pragma once

// Lines on standard error.

#include <string_view>

namespace hostcl::runtime {

/// Writes one message unconditionally, in one write.
/// @param kind comes before the message: "error: ", or nothing
void write_message(std::string_view kind, std::string_view message);

} // namespace hostcl::runtime

#pragma once

// Writes lines to standard error.

#include <string_view>

namespace hostcl::runtime {

/// Writes one message, whatever HOSTCL_LOG says, by a single call of write().
/// @param kind precedes the message: "error: ", or nothing
void write_message(std::string_view kind, std::string_view message);

} // namespace hostcl::runtime

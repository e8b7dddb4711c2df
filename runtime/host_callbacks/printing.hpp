#pragma once

#include "compiler/abi/launch.hpp"

#include <string_view>

namespace hostcl::runtime {

/// Prints a message of the kernel that the calling thread runs to standard output, unless the launch has printed too much.
/// @returns whether it was printed
bool print_text(std::string_view message);

/// Sets the host callback for printf().
void add_print_callback(abi::HostCallbacks& host_callbacks);

} // namespace hostcl::runtime

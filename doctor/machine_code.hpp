#pragma once

// The smallest function there is, as machine code, for each kind of CPU in a file of its own (machine_code_NAME.cpp).

#include <span>

namespace hostcl::doctor {

/// A function without parameters that returns 42.
std::span<const unsigned char> function_of_42();

} // namespace hostcl::doctor

#pragma once

// A tiny function as machine code. Each kind of CPU has its own file, machine_code_NAME.cpp.

#include <span>

namespace hostcl::doctor {

/// A function without parameters that returns 42.
std::span<const unsigned char> function_of_42();

} // namespace hostcl::doctor

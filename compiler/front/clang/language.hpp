#pragma once

// The language that is compiled: extensions, features, and the header in front of each program.

#include <string>
#include <string_view>

namespace hostcl::compiler {

/// The argument of clang's -cl-ext: everything off, followed by the extensions that hostcl supports.
const std::string& extension_argument();

/// The text of clang's opencl-c-base.h, which is embedded in this binary.
std::string_view opencl_base_header();

} // namespace hostcl::compiler

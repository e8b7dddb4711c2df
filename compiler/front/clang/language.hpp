#pragma once

// The language that is compiled: extensions, features, and the header that every program starts with.

#include <string>
#include <string_view>

namespace hostcl::compiler {

/// The argument of clang's -cl-ext: everything off, then the extensions that hostcl has on.
const std::string& extension_argument();

/// Text of clang's opencl-c-base.h, part of this binary.
std::string_view opencl_base_header();

} // namespace hostcl::compiler

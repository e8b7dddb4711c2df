#pragma once

// The language that is compiled: extensions, features, and the header in front of each program.

#include "compiler/settings/language.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler {

/// The argument of clang's -cl-ext: everything off, followed by the extensions and features that the device has.
std::string extension_argument(const Language& language);

/// The arguments of clang that define and undefine macros for the extensions and features that the device lacks. The
/// headers of hostcl test these macros, and define and declare nothing of a missing extension or feature.
std::vector<std::string> missing_macros(const Language& language);

/// The text of clang's opencl-c-base.h, which is embedded in this binary.
std::string_view opencl_base_header();

} // namespace hostcl::compiler

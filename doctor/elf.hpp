#pragma once

#include <string>

namespace hostcl::doctor {

/// The newest version of glibc from which a library needs symbols, such as "2.34"; empty if the library needs no
/// version, or if the file cannot be read.
std::string needed_glibc(const std::string& library);

} // namespace hostcl::doctor

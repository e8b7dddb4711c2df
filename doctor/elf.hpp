#pragma once

#include <string>

namespace hostcl::doctor {

/// The newest version of glibc from which a library needs symbols, such as "2.34"; empty if the library does not say.
std::string needed_glibc(const std::string& library);

} // namespace hostcl::doctor

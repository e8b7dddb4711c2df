#pragma once

#include <string>

namespace hostcl::doctor {

/// The newest version of glibc whose symbols a library asks for, as "2.34"; empty if it does not say.
std::string needed_glibc(const std::string& library);

} // namespace hostcl::doctor

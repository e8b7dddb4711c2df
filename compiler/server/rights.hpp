#pragma once

#include <string>

namespace hostcl::compiler {

/// What the calling thread may do to files and processes, as text that differs once the application has given something
/// up: user, groups, capabilities, root folder, mounts, namespaces, security label, seccomp filters, Landlock.
/// @returns an empty text where Linux does not tell all of that
std::string present_rights();

} // namespace hostcl::compiler

#pragma once

#include <string>
#include <string_view>

namespace hostcl::compiler {

/// Has a source in a file, source_name, which debuggers show: in a folder of its own among the user's temporary files. A
/// new one has the oldest ones removed if there are more than 100, but for those that a living process has asked for.
/// @returns the folder; empty where there can be none
std::string source_on_disk(std::string_view source);

} // namespace hostcl::compiler

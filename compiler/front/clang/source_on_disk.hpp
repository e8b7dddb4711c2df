#pragma once

#include <string>
#include <string_view>

namespace hostcl::compiler {

/// Writes the source to a file named source_name, in a folder of its own below the user's temporary folder, so that
/// debuggers can show it. Beyond 100 sources, the least recently used ones are removed, unless a running process uses them.
/// @returns the folder; empty where there can be none
std::string source_on_disk(std::string_view source);

} // namespace hostcl::compiler

#pragma once

#include <string>
#include <string_view>

namespace hostcl::compiler {

/// Writes the source to a file named source_name, in a folder of its own within the user's temporary folder,
/// so that debuggers can show it. If there are more than 100 sources, those used least recently are removed,
/// unless a running process uses them.
/// @returns the folder; empty if it cannot be made
std::string source_on_disk(std::string_view source);

} // namespace hostcl::compiler

#pragma once

#include <string>
#include <string_view>

namespace hostcl::compiler {

/// Has a source in a file, source_name, which debuggers show: in a folder of its own among the user's temporary files.
/// @returns the folder; empty where there can be none
std::string source_on_disk(std::string_view source);

} // namespace hostcl::compiler

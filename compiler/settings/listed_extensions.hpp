#pragma once

#include <string_view>

namespace hostcl::compiler {

/// Whether devices name this extension of language_extensions() in their lists. The lists have no room for others.
bool is_in_device_list(std::string_view extension);

} // namespace hostcl::compiler

#pragma once

#include "runtime/queue/command.hpp"

#include <string_view>

namespace hostcl::runtime {

/// The name of the kernel that the command runs, or a name for the command's type.
std::string_view name_of(const Command& command);
/// A name for the command's type. The text lives as long as the process.
std::string_view type_name_of(const Command& command);

} // namespace hostcl::runtime

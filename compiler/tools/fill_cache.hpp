#pragma once

#include "compiler/tools/command_line.hpp"

namespace hostcl::compiler {

/// Fills the folder `command.cache` with what the driver will look for when a program is built from the command's files
/// and its kernels are launched with these sizes, for each of `command.cpus`, or for this machine's CPU.
/// @returns the status of the process
int fill_cache(const Command& command);

} // namespace hostcl::compiler

#pragma once

#include "compiler/tools/command_line.hpp"

namespace hostcl::compiler {

/// Fills the cache in the folder `command.cache` with the entries that the driver needs when an application builds
/// programs from the command's files and launches their kernels with the command's sizes: for each CPU in
/// `command.cpus`, or for this machine's CPU.
/// @returns the exit status for the process
int fill_cache(const Command& command);

} // namespace hostcl::compiler

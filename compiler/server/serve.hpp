#pragma once

// The main loop of a compile server's process: it does one task after the other, until the application ends.

#include "compiler/server/channel.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <span>
#include <vector>

namespace hostcl::compiler {

/// Receives requests and sends replies. Returns when the application closes the connection, after a task in which the
/// compiler gave up, and if there is an error.
/// @param work does a task, and returns the contents of the reply
/// @returns the exit status
int serve(int count, char** arguments,
          llvm::function_ref<std::vector<std::byte>(Task task, std::span<const std::byte> request)> work);

/// In a server: records which step has begun, for the application (channel.hpp).
void note_step(const StepRecord& step);

} // namespace hostcl::compiler

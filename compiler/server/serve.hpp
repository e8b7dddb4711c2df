#pragma once

// The main function of a compile server: does one task after the other, until the application ends.

#include "compiler/server/channel.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <span>
#include <vector>

namespace hostcl::compiler {

/// Receives requests and sends replies, until the application ends or the compiler gives up on a task.
/// @param arguments descriptors, process and memory limit, as ServerProcess passes them
/// @param work does a task, and returns the contents of the reply
int serve(int count, char** arguments,
          llvm::function_ref<std::vector<std::byte>(Task task, std::span<const std::byte> request)> work);

/// Records, in a server, which step of the compiler has begun.
void note_step(const StepRecord& step);

} // namespace hostcl::compiler

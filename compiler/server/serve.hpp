#pragma once

// What a compile server's process does: one task after the other, until the application ends.

#include "compiler/server/channel.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstddef>
#include <span>
#include <vector>

namespace hostcl::compiler {

/// Takes requests and sends replies; does not return as long as the application lives.
/// @param work does a task, and returns the contents of the reply
int serve(int count, char** arguments,
          llvm::function_ref<std::vector<std::byte>(Task task, std::span<const std::byte> request)> work);

/// Says, in a server, which step has begun.
void note_step(const StepRecord& step);

} // namespace hostcl::compiler

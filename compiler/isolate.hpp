#pragma once

// Runs LLVM and clang so that no fatal error of theirs ends the host process.

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace hostcl::compiler {

/// Calls `work` on a thread with a stack that is large enough for deeply nested input (the caller's may be
/// small); work that isolates parts of itself stays on that thread.
/// @returns an empty string, or LLVM's message in a fatal error that ended `work` early, or out_of_memory.
std::string isolate(llvm::function_ref<void()> work);

/// Short enough to need no memory.
inline constexpr const char* out_of_memory = "out of memory";

} // namespace hostcl::compiler

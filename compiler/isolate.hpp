#pragma once

// Runs LLVM and clang so that nothing of them can take the host process down.

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace hostcl::compiler {

/// Calls `work` on a thread with a stack that is large enough for deeply nested input (the caller's may be
/// small).
/// @returns an empty string, or what LLVM said in a fatal error that ended `work` early.
std::string isolate(llvm::function_ref<void()> work);

} // namespace hostcl::compiler

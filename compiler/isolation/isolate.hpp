#pragma once

// Runs LLVM and clang so that no fatal error of theirs ends the host process.

#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <string>

namespace hostcl::compiler {

/// What the thread that waits for isolated work does meanwhile.
struct Watch {
  /// The processor's time that the work has taken. What is there before counts: works with one Watch share a bound.
  std::chrono::nanoseconds spent{0};
  /// Called before the work is asked to end.
  llvm::function_ref<void(const char* reason)> on_excess = nullptr;
};

/// Calls `work` on a thread with a stack that is large enough for deeply nested input (the caller's may be
/// small); work that isolates parts of itself stays on that thread.
/// @returns an empty string, or LLVM's message in a fatal error that ended `work` early, or out_of_memory.
std::string isolate(llvm::function_ref<void()> work, Watch* watch = nullptr);

/// Whether this thread does isolated work.
bool is_isolated();

/// Short enough to need no memory.
inline constexpr const char* out_of_memory = "out of memory";

} // namespace hostcl::compiler

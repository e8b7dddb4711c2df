#pragma once

// Work for the compiler as users see it: an event of the timeline, and a sentence when it has taken long.

#include "runtime/support/timeline.hpp"
#include "runtime/threads/background.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace hostcl::runtime {

/// Exists while a thread compiles code of a kernel. What takes longer than a second is said at HOSTCL_LOG=info, so
/// that a launch that waits for the compiler is not taken for a launch that hangs.
class Compilation {
public:
  /// The strings outlive the object.
  Compilation(std::string_view what, std::string_view kernel);
  ~Compilation();
  Compilation(const Compilation&) = delete;

private:
  Background::Compiling compiling_;
  timeline::Span span_;
  std::string_view what_, kernel_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The options that an application builds a program with, and those that settings add.
std::string options_of_build(const std::string& application);

/// Says how long a build of a program took, if that was long.
void report_long_build(std::chrono::steady_clock::time_point start);

} // namespace hostcl::runtime

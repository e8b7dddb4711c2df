#pragma once

// Work for the compiler as users see it: an event of the timeline, and a sentence when it has taken long.

#include "runtime/profile/profile.hpp"
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
  enum Kind { awaited, ahead, better }; ///< whether a launch waits for it, or it is made in the background
  /// The strings outlive the object.
  Compilation(Kind kind, std::string_view kernel);
  ~Compilation();
  Compilation(const Compilation&) = delete;

private:
  Background::Compiling compiling_;
  timeline::Span span_;
  Kind kind_;
  std::string_view kernel_;
  std::uint64_t began_ = now_ns();
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The options that an application builds a program with, and those that settings add.
std::string options_of_build(const std::string& application);

/// Says how long a build of a program took, if that was long.
void report_long_build(std::chrono::steady_clock::time_point start);

} // namespace hostcl::runtime

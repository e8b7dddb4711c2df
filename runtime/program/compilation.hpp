#pragma once

// Shows users what the compiler does: an event in the timeline, and a message if a compilation takes long.

#include "runtime/profile/profile.hpp"
#include "runtime/support/timeline.hpp"
#include "runtime/threads/background.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace hostcl::runtime {

/// An object that exists while a thread compiles machine code of a kernel. A compilation that takes longer than a
/// second is logged at HOSTCL_LOG=info, so that users do not think that the launch which waits for the compiler hangs.
class Compilation {
public:
  /// Whether a launch waits for the code, or it is made in the background.
  enum Kind { awaited, ahead, better };
  /// The strings must outlive the object.
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

/// The application's build options, with the options that settings such as HOSTCL_DEBUG add.
std::string options_of_build(const std::string& application);

/// Logs how long the build of a program took, if it took long.
void report_long_build(std::chrono::steady_clock::time_point start);

} // namespace hostcl::runtime

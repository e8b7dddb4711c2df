#pragma once

// HOSTCL_PROFILE: counts the time of kernels, other commands and the compiler while the process runs. At the
// end of the process, report.hpp makes a report of it.

#include "compiler/compiler.hpp"
#include "runtime/support/clock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hostcl::runtime::profile {

/// Set before main() if the user asks for a profile. False in a child of fork().
inline constinit std::atomic<bool> recording{false};
inline bool is_on() {
  return recording.load(std::memory_order_relaxed);
}

class KernelRecord;

/// What the profile has to know of a launch.
struct LaunchProperties {
  const compiler::KernelSignature& signature;
  const abi::NDRange& range;
  const std::byte* arguments; ///< the argument block that abi::Entry gets
  const compiler::KernelCode& code;
};

/// Times a run of a launch on the thread that runs the command. If a kernel is launched often and its
/// launches are short, only every 16th run is timed; the others are assumed to take as long.
class LaunchTimer {
public:
  explicit LaunchTimer(const LaunchProperties& properties);
  LaunchTimer(const LaunchTimer&) = delete;
  ~LaunchTimer();

  /// Called before and after the part that several threads run.
  void begin_parallel();
  void end_parallel(std::uint64_t busy_ns);

private:
  LaunchProperties properties_;
  KernelRecord& record_;
  std::optional<std::size_t> kind_; ///< nothing if the launch is only counted, not timed
  std::uint64_t began_ = 0;
  std::uint64_t parallel_began_ = 0, parallel_ns_ = 0, busy_ns_ = 0;
};

/// Whether the timeline excerpt has room for more events.
inline constinit std::atomic<bool> has_room{true};

enum class Activity : std::uint8_t { groups, command, compiler };

/// Records an activity of the calling thread for the timeline excerpt, which contains the first few thousand events.
/// `name` must outlive the object.
class Moment {
public:
  Moment(Activity activity, std::string_view name) {
    if (is_on() && has_room.load(std::memory_order_relaxed)) [[unlikely]]
      begin(activity, name);
  }
  Moment(const Moment&) = delete;
  ~Moment() {
    if (began_) [[unlikely]]
      end();
  }

private:
  void begin(Activity activity, std::string_view name);
  void end();
  std::uint64_t began_ = 0;
  std::string_view name_;
  Activity activity_{};
};

/// Times a command that is not a launch.
class CommandTimer {
public:
  explicit CommandTimer(std::string_view name)
      : moment_(Activity::command, name), name_(name), began_(now_ns()) {}
  CommandTimer(const CommandTimer&) = delete;
  ~CommandTimer();

private:
  Moment moment_;
  std::string_view name_;
  std::uint64_t began_;
};

/// Records that the compiler has worked. @param waited whether a call or a launch waited for it
void note_compilation(std::string_view kernel, std::uint64_t began_ns, bool waited);

} // namespace hostcl::runtime::profile

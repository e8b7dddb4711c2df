#pragma once

// HOSTCL_PROFILE: what kernels, other commands and the compiler took, counted while the process runs. At its end
// report.hpp makes a report of it.

#include "compiler/compiler.hpp"
#include "runtime/support/clock.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hostcl::runtime::profile {

/// Set before main() if there is a profile; a child of fork() has none.
inline constinit std::atomic<bool> recording{false};
inline bool is_on() {
  return recording.load(std::memory_order_relaxed);
}

class KernelRecord;

/// What a launch is to a profile.
struct LaunchFacts {
  const compiler::KernelSignature& signature;
  const abi::NDRange& range;
  const std::byte* arguments; ///< as abi::Entry takes them
  const compiler::KernelCode& code;
};

/// One run of a launch, from its beginning to its end on the thread that runs the command. Of kernels that are launched
/// often and are over soon, each 16th run is timed and stands for the others.
class LaunchTimer {
public:
  explicit LaunchTimer(const LaunchFacts& facts);
  LaunchTimer(const LaunchTimer&) = delete;
  ~LaunchTimer();

  /// Around the part that several threads run.
  void begin_parallel();
  void end_parallel(std::uint64_t busy_ns);

private:
  LaunchFacts facts_;
  KernelRecord& record_;
  std::optional<std::size_t> kind_; ///< none: it is counted alone
  std::uint64_t began_ = 0;
  std::uint64_t parallel_began_ = 0, parallel_ns_ = 0, busy_ns_ = 0;
};

/// Whether the timeline excerpt takes more.
inline constinit std::atomic<bool> has_room{true};

enum class Activity : std::uint8_t { groups, command, compiler };

/// Time of the calling thread for the timeline excerpt, which has room for the first some thousand; `name` outlives it.
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

/// A command that is not a launch.
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

/// Notes that the compiler has worked; `waited` says whether a call or a launch waited for it.
void note_compilation(std::string_view kernel, std::uint64_t began_ns, bool waited);

} // namespace hostcl::runtime::profile

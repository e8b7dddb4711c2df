#pragma once

// The resource budget of a compilation: limits for its CPU time and memory. A compilation also ends when
// nobody needs its result any more.

#include <chrono>
#include <cstdint>

#include <pthread.h>
#include <sys/types.h>

namespace hostcl::compiler {

class GuardedThread;

/// Reasons why work has to end.
inline constexpr const char *over_time = "it took longer than HOSTCL_COMPILE_SECONDS allows",
                            *over_own_time = "it took longer than one fallback level may: 20 s, or a quarter "
                                             "of HOSTCL_COMPILE_SECONDS if that is less",
                            *over_memory = "it took more memory than HOSTCL_COMPILE_MEMORY allows",
                            *unwanted = "the application released the program while it was compiled",
                            *stuck = "it waited for something that a compilation which was left may hold",
                            *servers_killed = "two compile servers in succession were ended by signal 9 "
                                              "(SIGKILL); the system may be short of memory",
                            *servers_closed =
                                "the application has closed the file descriptors of the compile server";

/// The arguments of set_compile_limits(), or the defaults.
std::chrono::seconds most_time();
std::uint64_t most_memory();

/// Bytes of writable memory of the process, as RLIMIT_DATA counts them.
std::uint64_t writable_bytes();

/// Whether a thread of the process runs or waits for a CPU. If so, the process is not idle, even if it gets
/// no CPU time.
bool has_runnable_thread(pid_t process);

/// The CPU time that the compilation at one fallback level may take, if there is a further level to try.
std::chrono::nanoseconds time_of_level();

/// The resource budget of one compilation, from now on. Used by the thread that waits for the compilation.
///
/// Time is CPU time of the compiling thread: a process that is stopped, or that shares a busy machine, does
/// not exceed its budget. A thread that makes no progress, because it waits for something, exceeds its budget
/// after that much time as well. If other work of the process was left before, a lock of LLVM may still be held. So a
/// thread that then makes no progress for two seconds counts as stuck.
class ResourceBudget {
public:
  using Clock = std::chrono::steady_clock;
  /// The time between two calls of excess().
  static constexpr std::chrono::milliseconds period{20};

  /// @param spent CPU time that earlier work with the same budget has used
  explicit ResourceBudget(std::chrono::nanoseconds spent);
  /// The reason why the thread has to end its work, one of the constants above, or null. Must be called once in each
  /// period.
  const char* excess(pthread_t thread, pid_t id, const GuardedThread& guarded);
  /// Whether the thread has made no progress for two seconds.
  bool stands_still() const { return standing_still_ >= std::chrono::seconds(2); }
  /// CPU time of the thread at the last call of excess(), with that of earlier work.
  std::chrono::nanoseconds spent() const { return before_ + now_; }

private:
  void look(pthread_t thread, pid_t id, const GuardedThread& guarded);
  bool takes_too_much_memory(pid_t thread) const;

  std::chrono::nanoseconds before_, now_{0};
  std::chrono::nanoseconds idle_{0}; ///< periods in which the thread made no progress
  std::chrono::nanoseconds standing_still_{
      0};                                ///< the last of these periods, since the thread's last progress
  std::chrono::nanoseconds unwanted_{0}; ///< periods since the result was no longer wanted
  std::uint64_t resident_ = 0;           ///< resident pages of the process when the work began
  const char* excess_ = nullptr;
};

} // namespace hostcl::compiler

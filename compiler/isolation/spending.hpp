#pragma once

// What a compilation may take: time, memory, and the patience of those who wait for it.

#include <chrono>
#include <cstdint>

#include <pthread.h>
#include <sys/types.h>

namespace hostcl::compiler {

class GuardedThread;

/// Why work has to end. Short enough to need no memory.
inline constexpr const char *over_time = "it took longer than HOSTCL_COMPILE_SECONDS allows",
                            *over_own_time = "it took longer than one fallback level may: 20 s, or a quarter "
                                             "of HOSTCL_COMPILE_SECONDS if that is less",
                            *over_memory = "it took more memory than HOSTCL_COMPILE_MEMORY allows",
                            *unwanted = "the application released the program while it was compiled",
                            *servers_killed = "two compile servers in succession were ended by signal 9 "
                                              "(SIGKILL); the system may be short of memory",
                            *servers_closed =
                                "the application has closed the file descriptors of the compile server";

/// The arguments of set_compile_limits(), or what is usual.
std::chrono::seconds most_time();
std::uint64_t most_memory();

/// Bytes of writable memory that the process has, as RLIMIT_DATA counts them.
std::uint64_t writable_bytes();

/// Whether a thread of the process runs or waits for a processor: a process that gets no time is not idle then.
bool has_runnable_thread(pid_t process);

/// How long a form of a kernel's code may take the compiler, where there is another one.
std::chrono::nanoseconds time_of_form();

/// One compilation's, from now on. Used by the thread that waits for it.
///
/// Time is the processor's, that the thread has had: a process that is stopped, or shares a busy machine, is not in
/// excess. A thread that gets nowhere, because it waits for something, is after as many periods as the bound has.
class Spending {
public:
  using Clock = std::chrono::steady_clock;
  /// Between two calls of excess().
  static constexpr std::chrono::milliseconds period{20};

  /// @param spent of the same bound before
  explicit Spending(std::chrono::nanoseconds spent);
  /// Why the thread has to end its work, one of the constants above; or null.
  const char* excess(pthread_t thread, pid_t id, const GuardedThread& guarded);
  /// What the thread had spent when excess() was last called, and what was spent before.
  std::chrono::nanoseconds spent() const { return before_ + now_; }

private:
  void look(pthread_t thread, pid_t id, const GuardedThread& guarded);
  bool takes_too_much_memory(pid_t thread) const;

  std::chrono::nanoseconds before_, now_{0};
  std::chrono::nanoseconds idle_{0}; ///< periods without any progress
  std::uint64_t resident_ = 0;       ///< pages of the process when it began, once it takes long
  const char* excess_ = nullptr;
};

} // namespace hostcl::compiler

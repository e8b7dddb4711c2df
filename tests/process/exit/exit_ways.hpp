#pragma once

// Ways in which a process with an OpenCL driver ends, or goes on as two.

#include <span>
#include <string_view>

namespace test {

struct Way {
  const char* name;
  int (*run)();                 ///< what main() does and returns
  std::string_view output = ""; ///< what the process writes to standard output
  bool caches = false;          ///< whether programs are cached in a folder of the test's
  int signal = 0;               ///< that ends the process
  const char* code = "auto";    ///< which code launches run, as HOSTCL_CODE says
};

/// Nothing is going on, or commands are.
std::span<const Way> command_ways();
/// The compiler is at work, or threads of the application wait.
std::span<const Way> compiler_ways();
/// Threads run kernels that were never compiled, in odd shapes and with attributes.
std::span<const Way> cold_ways();
/// The application's callbacks and destructors use OpenCL, or call exit().
std::span<const Way> callback_ways();
std::span<const Way> fork_ways();
/// Commands wait for other processes.
std::span<const Way> semaphore_ways();

/// Says that the process begins to end now. @returns 0
int leave();
/// Sleeps for another time in each of the repeated runs, up to the given microseconds.
void sleep_up_to(unsigned microseconds);

/// What leave() and sleep_up_to() need to know of a run.
struct Run {
  int report = -1; ///< file descriptor to which leave() writes the time
  unsigned number = 0;
};
inline Run current_run;

/// Runs a way in a process of its own, as often as told. @returns whether each ended as it should, within
/// 2 seconds after leave() where no sanitiser slows it down
bool repeat(const Way& way, unsigned count);

} // namespace test

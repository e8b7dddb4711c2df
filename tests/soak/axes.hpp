#pragma once

// What else happens while the soak runs: each axis is switched on alone or with others. Counts of a run.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace soak {

struct Axes {
  bool faults =
      false; ///< the application takes host memory away with mprotect(), and gives it back in a handler
  bool forks = false;   ///< children of fork() go on with objects while the parent goes on
  bool stacks = false;  ///< the application's threads have 64 to 224 KB of stack
  bool limits = false;  ///< setrlimit() to just above what is in use, now and then
  bool cancels = false; ///< threads are cancelled, and others go on with what they had
};
/// Set before the first thread starts.
inline Axes axes;

/// "faults,limits" or "all"; nothing if a name is unknown.
std::optional<Axes> parse_axes(std::string_view names);

struct Counts {
  using Count = std::atomic<std::uint64_t>;
  Count commands = 0, comparisons = 0;
  Count protections = 0, faults = 0, driver_faults = 0;
  Count new_forks = 0, idle_forks = 0, forks_without_compiler = 0;
  Count threads = 0, smallest_stack = 0;
  Count lowered = 0, shortages = 0, renewed = 0;
  Count cancels = 0;
};
inline Counts counts;

/// The axes' names and counts, one line each, and how to run it again.
std::string report();
/// The command line that repeats the run. The environment that a failure depends on is the caller's.
inline std::string repetition;

} // namespace soak

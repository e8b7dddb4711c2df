#pragma once

// Counts the calls that the rules of HOSTCL_FAIL match, and notes which calls failed. With HOSTCL_FAIL_REPORT=FILE the
// counts and notes are in this file, which is mapped into all processes that have the setting: the calls of these
// processes are counted together, and the notes remain when a process is killed. `hostcl-check --fail-each` reads them.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace hostcl::runtime::faults {

/// The layout of the file as well, which hostcl-check reads: counts and notes in the byte order of the machine.
struct Tally {
  static constexpr std::size_t most_rules = 32;
  static constexpr std::size_t bytes = 4096;

  std::array<std::atomic<std::uint64_t>, most_rules> calls; ///< that each rule has matched
  std::atomic<std::uint64_t> note_bytes;                    ///< of all lines, with those that are left out
  /// Lines of words, with spaces between the words. A line that does not fit is left out.
  std::array<char, bytes - (most_rules + 1) * sizeof(std::uint64_t)> notes;
};
static_assert(sizeof(Tally) == Tally::bytes && std::atomic<std::uint64_t>::is_always_lock_free);

/// The tally of the process: zeros at first, until open_report() maps a file.
Tally& tally();
/// Maps the file of HOSTCL_FAIL_REPORT, if it is set. Called before the first call is counted.
void open_report();
/// Whether the tally is in a file.
bool has_report();

/// Appends a line to the notes: these words, and the ids of the thread and the process. Async-signal-safe.
void note(std::initializer_list<std::string_view> words) noexcept;

} // namespace hostcl::runtime::faults

#pragma once

// The findings of all checks in this process. Each place is reported once, when it is found first, on
// standard error and in the file HOSTCL_CHECK_REPORT. When the process ends, the report says how often each
// place was found.
//
// The file gets a line of JSON when a process begins, a line for each place, and a line with the counts when
// the process ends. Processes append to the file, so one file can serve all processes that a program starts.

#include "compiler/abi/check.hpp"
#include "compiler/abi/launch.hpp"
#include "runtime/checks/checked_objects.hpp"
#include "runtime/support/lock.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace hostcl::runtime::checks {

/// A finding in a kernel. Its texts live as long as the kernel's code.
struct Finding {
  const abi::CheckSite& site;
  std::uint64_t what; ///< a position or an address, depending on the site
  std::array<std::uint64_t, 3> global_id, local_id, group_id;
  UsableObject argument; ///< the object that the argument of the site points into
  /// For divergence: the number of work-items that go on to the barrier, and of those that do not.
  std::array<std::uint32_t, 2> ways = {};
  /// For races: the place of the other access, or null if it is not known, and the work-item of the other
  /// access.
  const abi::CheckSite* other = nullptr;
  std::array<std::uint64_t, 3> other_global_id = {}, other_local_id = {}, other_group_id = {};
  /// For order: the order of work-groups that has led to different contents.
  const char* order = "";
};

/// A finding of a work-item, with its ids.
Finding finding_at(const abi::Launch& launch, const abi::CheckSite& site,
                   const std::array<std::uint64_t, 3>& local_id,
                   const std::array<std::uint64_t, 3>& group_id);

/// Adds a finding to those of the process. Does nothing if there is no memory.
void note(const Finding& finding);

/// The findings of this process. There is one object; any thread may call its methods.
class Findings {
public:
  static Findings& instance();

  /// Writes the line to the report that says that a process with checks has begun.
  void begin();
  void add(const Finding& finding);
  /// A place: check, kernel, file, line, column, and what the finding is about. Findings at equal places are
  /// counted together.
  using Place = std::tuple<std::string, std::string, std::string, std::uint32_t, std::uint32_t, std::string>;
  /// Adds a finding at a place.
  /// @param tell called for the first finding at the place, to set the message and the line of JSON
  void add(const Place& place, const std::function<void(std::string& message, std::string& json)>& tell);
  /// Reports what a check cannot do, once for each sentence.
  void say_once(const std::string& sentence);
  /// Reports how often each place was found, if there are any.
  void summarise();

private:
  static Place place_of(const Finding& finding);
  void write_line(const std::string& line);

  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards the members below
  std::map<Place, std::uint64_t> counts_;
  std::set<std::string> said_;
};

} // namespace hostcl::runtime::checks

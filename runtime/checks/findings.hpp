#pragma once

// What checks have found in this process: each place once, on standard error and in the file HOSTCL_CHECK_REPORT, when
// it is found first; and how often when the process ends.
//
// The file gets a line of JSON when a process begins, one for each place, and one with the counts at the end. Processes
// append to it, so that one file serves all that a program starts.

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

/// One finding, with texts that live as long as the kernel's code.
struct Finding {
  const abi::CheckSite& site;
  std::uint64_t what; ///< a position or an address, as the site says
  std::array<std::uint64_t, 3> global_id, local_id, group_id;
  UsableObject argument; ///< the object that the site's argument points into
  /// For divergence: work-items that go on to the barrier, and others.
  std::array<std::uint32_t, 2> votes = {};
  /// For races: the place of the other access, null if it is not known, and its work-item.
  const abi::CheckSite* other = nullptr;
  std::array<std::uint64_t, 3> other_global_id = {}, other_local_id = {}, other_group_id = {};
  /// For order: that in which work-groups have left other contents.
  const char* order = "";
};

/// A finding of a work-item.
Finding finding_at(const abi::Launch& launch, const abi::CheckSite& site,
                   const std::array<std::uint64_t, 3>& local_id,
                   const std::array<std::uint64_t, 3>& group_id);

/// Adds a finding to those of the process, if there is memory for it.
void note(const Finding& finding);

class Findings {
public:
  static Findings& instance();

  /// Says in the report that a process has begun whose kernels are checked.
  void begin();
  void add(const Finding& finding);
  /// A place of a check: its name, the kernel, file, line and column, and what it is about.
  using Place = std::tuple<std::string, std::string, std::string, std::uint32_t, std::uint32_t, std::string>;
  /// Adds a finding at a place. @param tell called for the first one, sets the message and the line of JSON
  void add(const Place& place, const std::function<void(std::string& message, std::string& json)>& tell);
  /// Says once in a process what a check cannot do.
  void say_once(const std::string& sentence);
  /// Says how often each was made, if there are any.
  void summarise();

private:
  static Place place_of(const Finding& finding);
  void write_line(const std::string& line);

  static Lock& process_lock() { return instance().lock_; }
  static const bool is_held_over_fork_;
  Lock lock_; ///< guards what follows
  std::map<Place, std::uint64_t> counts_;
  std::set<std::string> said_;
};

} // namespace hostcl::runtime::checks

#pragma once

// Faults on demand: HOSTCL_FAIL makes chosen calls of the API fail (rules.hpp), so that a test sees how an application
// handles an error. icd/failing.hpp asks here before it performs a call.

#include "runtime/support/cl.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime::faults {

/// Whether HOSTCL_FAIL has a rule. Set by start(), before any call of the API.
inline constinit bool has_rules = false;

/// Reads HOSTCL_FAIL.
/// @param functions returns the names of all functions that can fail; not called without the setting
void start(std::vector<std::string_view> (*functions)()) noexcept;

/// An error that a rule chooses for a call.
struct Fault {
  cl_int code;
  std::string sentence; ///< names the rule and the number of the call
  /// The call is performed, and the command that it enqueues or the build that it begins ends with the error.
  bool is_later;
};

/// A call of the API. The constructor counts the call for each rule that matches the function, and notes in the tally
/// that the call fails, if a rule says so.
class Call {
public:
  explicit Call(std::string_view function) noexcept;
  ~Call();
  Call(const Call&) = delete;

  /// The error that the call returns instead of being performed, or null.
  const Fault* fault() const { return fault_ && !fault_->is_later ? &*fault_ : nullptr; }

private:
  std::optional<Fault> fault_;
};

/// Takes the fault of the command or the build that the calling thread's call is about to begin; null if the command or
/// build does not fail. Only the first caller during a call gets the fault, because the call may run other commands and
/// callbacks before it returns. Requires has_rules.
const Fault* take_fault_of_thread();
/// The same; null without rules.
inline const Fault* take_later_fault() {
  return has_rules ? take_fault_of_thread() : nullptr;
}
/// The error of take_later_fault(), or CL_SUCCESS.
inline cl_int take_later_error() {
  const Fault* fault = take_later_fault();
  return fault ? fault->code : CL_SUCCESS;
}

} // namespace hostcl::runtime::faults

#pragma once

// Faults on demand: HOSTCL_FAIL makes chosen calls of the API fail (rules.hpp), so that a test sees how an application
// handles an error. icd/failing.hpp asks here before it performs a call.

#include "runtime/support/cl.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime::faults {

/// Whether there is a rule. Set by start(), before any call of the API.
inline constinit bool has_rules = false;

/// Reads HOSTCL_FAIL. @param functions returns the names of all functions that can fail; not called without the setting
void start(std::vector<std::string_view> (*functions)()) noexcept;

/// What happens to a call.
struct Fault {
  cl_int code;
  std::string sentence;
  /// The call itself is performed, and the command that it enqueues or the build that it begins ends with the error.
  bool is_later;
};

/// A function of the API, with the rules that are for it.
class Function {
public:
  /// @param name must live as long as the process
  explicit Function(std::string_view name);
  /// Counts a call. @returns what happens to the call, or nothing if it does not fail
  std::optional<Fault> next_call() const;

private:
  std::string_view name_;
  std::uint32_t rules_ = 0; ///< a bit for each rule
};

/// While an object of this class exists, commands and builds of the calling thread fail.
class FailsLater {
public:
  explicit FailsLater(const Fault& fault);
  ~FailsLater();
  FailsLater(const FailsLater&) = delete;
};

/// The fault of the command or the build that the calling thread is about to begin, or null.
const Fault* later_fault_of_thread();
inline const Fault* later_fault() {
  return has_rules ? later_fault_of_thread() : nullptr;
}
/// The error of later_fault(), or CL_SUCCESS.
inline cl_int later_error() {
  const Fault* fault = later_fault();
  return fault ? fault->code : CL_SUCCESS;
}

} // namespace hostcl::runtime::faults

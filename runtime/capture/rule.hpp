#pragma once

// The value of HOSTCL_CAPTURE: FOLDER[:KERNEL[:N]].

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace hostcl::runtime::capture {

struct Rule {
  std::string folder;       ///< an absolute path
  std::string kernel = "*"; ///< a pattern, as fnmatch() takes it
  /// The first and the last launch that is captured. Launches of each kernel are counted from 1.
  std::uint64_t first = 1, last = std::numeric_limits<std::uint64_t>::max();

  /// Counts a launch. @returns its number if it is to be captured, otherwise 0
  std::uint64_t count(const std::string& kernel_name) const;
};

/// @returns nothing if the value breaks the rule FOLDER[:KERNEL[:N]], where N is a number from 1, or a range N-M
std::optional<Rule> parsed_rule(std::string_view value);

} // namespace hostcl::runtime::capture

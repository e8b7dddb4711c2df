#pragma once

// The rules of HOSTCL_FAIL: RULE[,RULE...], where a rule is FUNCTIONS[:WHEN][:seedN][:EFFECT].
//   FUNCTIONS  a function, a pattern such as clCreate*, or a family: any, build, copy, create, enqueue, launch, map,
//              read, write
//   WHEN       3: the third call of these functions; 3-5; 3-: from the third call on; 10%: each call with this
//              probability; *: every call, which is the default
//   seedN      seed of the probability; 0 by default
//   EFFECT     the name of an error; or lost: the call succeeds, and its command ends with an error

#include "runtime/support/cl.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::runtime::faults {

struct Rule {
  std::string text;
  std::vector<std::string> patterns;                 ///< of functions that the rule is for
  std::vector<std::string> exceptions;               ///< patterns of functions that it is not for
  std::uint64_t first = 1, last = ~std::uint64_t{0}; ///< numbers of the calls that fail
  double percent = 100;                              ///< probability that such a call fails
  std::uint64_t seed = 0;
  cl_int error = CL_SUCCESS; ///< CL_SUCCESS: the usual error of each function
  bool is_lost = false;

  bool is_for(std::string_view function) const;
  /// Whether the rule's call of this number, from 1, fails.
  bool fails(std::uint64_t number) const;
};

/// Reads the value of HOSTCL_FAIL. Rules that cannot be used are left out.
/// @param functions the names of all functions that can fail
/// @param complain is called with a sentence for each rule that cannot be used, and for errors that a function may not
/// return
std::vector<Rule> parse_rules(std::string_view value, std::span<const std::string_view> functions,
                              const std::function<void(const std::string&)>& complain);

} // namespace hostcl::runtime::faults

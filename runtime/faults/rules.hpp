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
  std::string text;                                  ///< as in HOSTCL_FAIL, for messages
  std::vector<std::string> patterns;                 ///< of the names of functions that the rule matches
  std::vector<std::string> exceptions;               ///< patterns of names that the rule does not match
  std::uint64_t first = 1, last = ~std::uint64_t{0}; ///< numbers of the calls that may fail
  double percent = 100;                              ///< probability that one of these calls fails
  std::uint64_t seed = 0;                            ///< of the probability
  cl_int error = CL_SUCCESS;                         ///< CL_SUCCESS: the usual error of each function
  bool is_lost = false;                              ///< the command fails instead of the call

  bool is_for(std::string_view function) const;
  /// Whether the call with this number fails. The first call that the rule matches has the number 1.
  bool fails(std::uint64_t number) const;
};

/// Reads the value of HOSTCL_FAIL. Leaves out rules that cannot be used, and rules beyond Tally::most_rules.
/// @param functions the names of all functions that can fail
/// @param complain is called with a sentence for each rule that is left out, and for each rule with an error that one
/// of the rule's functions may not return
std::vector<Rule> parse_rules(std::string_view value, std::span<const std::string_view> functions,
                              const std::function<void(const std::string&)>& complain);

} // namespace hostcl::runtime::faults

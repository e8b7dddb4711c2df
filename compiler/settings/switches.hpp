#pragma once

// Switches: the heuristics that are off and the checks that are on. They are the part of the settings on which most
// passes depend, and are parameters of these passes (passes/switch_parameters.hpp).

#include "compiler/settings/checks.hpp"
#include "compiler/settings/heuristics.hpp"

namespace hostcl::compiler {

struct Switches {
  Heuristics off; ///< all other heuristics are on
  Checks checks;  ///< these checks are on

  bool is_on(Heuristic heuristic) const { return !off.has(heuristic); }
  bool is_checked(Check check) const { return checks.has(check); }
  bool has_checks() const { return !checks.empty(); }
  bool operator==(const Switches&) const = default;
};

} // namespace hostcl::compiler

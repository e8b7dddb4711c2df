#pragma once

// What is on in a compilation: heuristics and checks. The parameters that many passes have in common.

#include "compiler/settings/checks.hpp"
#include "compiler/settings/heuristics.hpp"

namespace hostcl::compiler {

struct Switches {
  Heuristics off;
  Checks checks;

  bool is_on(Heuristic heuristic) const { return !off.has(heuristic); }
  bool is_checked(Check check) const { return checks.has(check); }
  bool has_checks() const { return !checks.empty(); }
  bool operator==(const Switches&) const = default;
};

} // namespace hostcl::compiler

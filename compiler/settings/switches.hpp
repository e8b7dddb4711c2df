#pragma once

// What is on in a compilation: heuristics and checks. The parameters that many passes have in common.

#include "compiler/settings/checks.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Support/Error.h"

#include <string>

namespace hostcl::compiler {

struct Switches {
  Heuristics off;
  Checks checks;

  bool is_on(Heuristic heuristic) const { return !off.has(heuristic); }
  bool is_checked(Check check) const { return checks.has(check); }
  bool has_checks() const { return !checks.empty(); }
  bool operator==(const Switches&) const = default;
};

/// As parameters of a pass, with semicolons between them: "no-" and the name of a heuristic that is off, "check-" and the
/// name of a check that is on. Example: "no-records;check-bounds"
std::string text_of(const Switches& switches);

/// Turns a heuristic off or a check on, if the parameter of a pass is a switch. @returns whether it is
bool take_switch(llvm::StringRef parameter, Switches& switches);

/// Parses the text that text_of() writes.
llvm::Expected<Switches> parse_switches(llvm::StringRef text);

} // namespace hostcl::compiler

#pragma once

// Switches as parameters of passes.

#include "compiler/settings/switches.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace hostcl::compiler {

/// As parameters of a pass, with semicolons between them: "no-" and the name of a heuristic that is off, "check-" and the
/// name of a check that is on. Example: "no-records;check-bounds"
std::string text_of(const Switches& switches);

/// Turns a heuristic off or a check on, if the parameter of a pass is a switch. @returns whether it is
bool take_switch(llvm::StringRef parameter, Switches& switches);

/// Parses the text that text_of() writes.
llvm::Expected<Switches> parse_switches(llvm::StringRef text);

} // namespace hostcl::compiler

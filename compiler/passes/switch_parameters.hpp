#pragma once

// Switches (settings/switches.hpp) as parameters in the text of a pass.

#include "compiler/settings/switches.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace hostcl::compiler {

/// The switches as parameters of a pass, with semicolons between them: "no-" and the name for each heuristic that is
/// off, "check-" and the name for each check that is on. Example: "no-records;check-bounds"
std::string text_of(const Switches& switches);

/// Turns a heuristic off or a check on, if `parameter`, one parameter of a pass, is a switch. @returns whether it is a
/// switch
bool take_switch(llvm::StringRef parameter, Switches& switches);

/// Parses a text of the form that text_of() writes.
llvm::Expected<Switches> parse_switches(llvm::StringRef text);

} // namespace hostcl::compiler

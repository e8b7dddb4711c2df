#pragma once

// Finds which extensions and features a program needs that the device lacks. clang's own messages often do not name
// them: a call of a missing built-in function is reported as an undeclared identifier.

#include "compiler/front/clang/options.hpp"
#include "compiler/jobs/program_requests.hpp"

#include <string>

namespace hostcl::compiler {

/// A note for the log of a program that the front end has refused: the extensions and features that the device lacks
/// and without which the program does not compile. Empty if the program does not compile with them either, or if the device
/// lacks none. Compiles the program up to ten times for each name in the note.
std::string needed_parts_note(const CompileRequest& request, const Options& options);

} // namespace hostcl::compiler

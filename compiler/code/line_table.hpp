#pragma once

#include "compiler/compiler.hpp"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace hostcl::compiler {

/// The source lines of an object's code, with offsets into its text section. Empty unless the program was
/// compiled with -g.
std::vector<CodeLine> lines_of(llvm::StringRef object);

} // namespace hostcl::compiler

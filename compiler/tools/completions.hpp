#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Option/OptTable.h"

#include <string>

namespace hostcl::compiler {

/// What a shell may complete a word of the command line to, a line each: options, or values of the option that the word
/// has.
std::string completions(const llvm::opt::OptTable& table, llvm::StringRef word);

} // namespace hostcl::compiler

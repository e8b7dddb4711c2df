#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Option/OptTable.h"

#include <string>

namespace hostcl::compiler {

/// The words to which a shell may complete a word of the command line, one per line: options, or values of the option
/// that the word begins with.
std::string completions(const llvm::opt::OptTable& table, llvm::StringRef word);

} // namespace hostcl::compiler

#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace hostcl::doctor {

struct LoadError {
  std::string name, text, remedy;
};

/// Explains an error message of the dynamic linker about a library. The message names the first thing that is missing.
LoadError explain_load_error(llvm::StringRef sentence, llvm::StringRef library);

} // namespace hostcl::doctor

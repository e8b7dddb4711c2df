#pragma once

// Parses the mangled names of OpenCL C's built-in functions, which code calls before the library is linked.

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace hostcl::compiler {

/// The parts of a mangled name. `_Z5clampDv4_jS_S_` has the name `clamp` and the element type `j` (uint).
struct CalledName {
  llvm::StringRef name;
  llvm::StringRef parameters; ///< the mangled parameters
  char element = 0;           ///< the first parameter's mangled element type
};

/// Parses the function's name; the result is empty if the name is not mangled.
CalledName called_name(const llvm::Function& function);

} // namespace hostcl::compiler

#pragma once

// The functions of OpenCL C that code calls before the library is linked, by their mangled names.

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace hostcl::compiler {

/// A mangled name: `_Z5clampDv4_jS_S_` is a function of unsigned integers.
struct CalledName {
  llvm::StringRef name;
  llvm::StringRef parameters; ///< what follows it
  char element = 0;           ///< what the first parameter has elements of, as the mangling says
};

/// Empty for functions whose name is not mangled.
CalledName called_name(const llvm::Function& function);

} // namespace hostcl::compiler

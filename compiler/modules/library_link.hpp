#pragma once

// Pulls the built-ins that a module uses out of the embedded library.

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// Links the definition of every built-in that `module` calls, and the functions those call in turn, as
/// internal functions. Only those functions are read from the library. With the module flag
/// hostcl.relaxed_math, a built-in that has a relaxed variant is replaced by it.
llvm::Error link_builtins(llvm::Module& module);

} // namespace hostcl::compiler

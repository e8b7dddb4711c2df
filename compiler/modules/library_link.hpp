#pragma once

// Links the built-ins that a module uses from the built-in library inside of the driver.

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// Links the definition of each built-in that `module` calls, and the functions that the definition calls, as
/// internal functions. Only these functions are read from the library. If the module has the flag
/// hostcl.relaxed_math, a built-in with a relaxed variant is replaced by that variant.
llvm::Error link_builtins(llvm::Module& module);

} // namespace hostcl::compiler

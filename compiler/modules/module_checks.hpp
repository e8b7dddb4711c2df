#pragma once

// What is asked of IR that others may have written, beyond LLVM's verifier: that it is of the kind that clang makes of
// OpenCL C. The passes and the code generator rely on it.

#include <string>

namespace llvm {
class Module;
}

namespace hostcl::compiler {

/// Why the module is none that hostcl has written, or an empty string.
std::string why_foreign(const llvm::Module& module);

} // namespace hostcl::compiler

#pragma once

// Checks of IR from untrusted sources, beyond those of LLVM's verifier: the IR must be of the kind that clang
// generates for OpenCL C, because passes and the code generator rely on it.

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Whether LLVM documents the function as an intrinsic, for all targets, that computes its result from its
/// operands and always returns.
bool computes_alone(const llvm::Function& function);

/// Fails if hostcl could not have written the module.
llvm::Error check_ir(const llvm::Module& module);

} // namespace hostcl::compiler

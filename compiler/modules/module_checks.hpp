#pragma once

// Checks of IR from untrusted sources, beyond those of LLVM's verifier: the IR must be of the kind that clang
// generates for OpenCL C, because passes and the code generator rely on it.

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the function is a target-independent LLVM intrinsic with the attributes `memory(none)` and
/// `willreturn`: its result depends on its operands alone.
bool computes_alone(const llvm::Function& function);

/// Fails if LLVM's verifier rejects the module, or if the module has something that hostcl never writes, such
/// as an unknown intrinsic, a type that OpenCL C lacks, or an attribute that only passes may set.
/// @param assembly whether inline assembly is allowed (Settings::assembly)
llvm::Error check_ir(const llvm::Module& module, bool assembly);

} // namespace hostcl::compiler

#pragma once

// What is asked of IR that others may have written, beyond LLVM's verifier: that it is of the kind that clang makes of
// OpenCL C. The passes and the code generator rely on it.

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Whether it is an intrinsic of LLVM, and of no target, that computes from its operands alone and returns. LLVM's own
/// description says so.
bool computes_alone(const llvm::Function& function);

/// Fails if the module is not one that hostcl writes.
llvm::Error check_ir(const llvm::Module& module);

} // namespace hostcl::compiler

#pragma once

// Signatures of a program's kernels, read from IR and its metadata.

#include "compiler/compiler.hpp"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Whether `function` is a kernel that an application can create (not a program-scope constructor).
bool is_api_kernel(const llvm::Function& function);

/// Whether `function` is the kernel of a block, which other kernels enqueue.
bool is_block_kernel(const llvm::Function& function);

/// Reads one kernel's signature; `kernel` and the functions it calls have their bodies.
KernelSignature read_signature(const llvm::Function& kernel);

} // namespace hostcl::compiler

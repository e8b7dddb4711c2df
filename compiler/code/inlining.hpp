#pragma once

// Decides which functions are inlined into a kernel.

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Adds `alwaysinline` to all functions except the kernel, and except functions that need not be inlined and
/// would make the kernel too large. Functions with barriers, queries of ids, or checks are inlined even if
/// they have `noinline`, because these have a meaning only within the kernel. In huge kernels, functions with
/// queries of ids may stay calls as well.
void request_inlining(llvm::Module& module, const llvm::Function& kernel);

} // namespace hostcl::compiler

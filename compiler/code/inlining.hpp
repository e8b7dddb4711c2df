#pragma once

// Which functions become part of a kernel.

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Marks all functions but the kernel and those that may stay calls and should: barriers, ids and checks do not grant
/// a wish for `noinline`. In kernels that would be huge, functions that ask for ids may stay calls as well.
void request_inlining(llvm::Module& module, const llvm::Function& kernel);

} // namespace hostcl::compiler

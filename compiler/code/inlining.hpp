#pragma once

// Decides which functions are inlined into a kernel.

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Adds `alwaysinline` to all functions except:
/// - the kernel;
/// - functions that access images (`hostcl.image_call`), which the pass `image-calls` inlines later;
/// - functions that the program marks `noinline`;
/// - in kernels of more than 100,000 instructions, functions of more than 1,000 instructions with several
///   uses.
/// A function is inlined in spite of `noinline` or its size if it, or a function that it calls, calls
/// barriers, queries ids, uses local memory, calls the host or may trap: these operations need the kernel's
/// launch. In kernels of more than 100,000 instructions, functions that only query ids or trap need not be
/// inlined.
/// @param has_checks whether the kernel is checked; `noinline` of the program is ignored then
void request_inlining(llvm::Module& module, const llvm::Function& kernel, bool has_checks);

} // namespace hostcl::compiler

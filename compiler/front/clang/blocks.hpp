#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Prepares the kernels that clang makes of enqueued blocks: they get internal linkage, because their names
/// may clash with the program's, and the attribute hostcl.block_kernel. Removes parts of block literals that
/// are never read: the address of the block's function, and whole literals without captured variables.
///
///   before:  %r = call i32 @__enqueue_kernel_basic(.., ptr addrspace(4) @__f_block_invoke_kernel,
///                                                  ptr addrspace(4) @__block_literal_global)
///            define spir_kernel void @__f_block_invoke_kernel(ptr addrspace(4) %literal)
///   after:   %r = call i32 @__enqueue_kernel_basic(.., ptr addrspace(4) @__f_block_invoke_kernel,
///                                                  ptr addrspace(4) null)
///            define internal spir_kernel void @__f_block_invoke_kernel(ptr addrspace(4) %literal)
///                   "hostcl.block_kernel"="true"
void prepare_blocks(llvm::Module& module);

} // namespace hostcl::compiler

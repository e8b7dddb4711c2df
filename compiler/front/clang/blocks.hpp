#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Makes of clang's kernels for enqueued blocks, which have names like those of the program and external
/// linkage, internal functions with a mark. Block literals lose what is never read: the address of the block's
/// function, and literals without captured variables altogether.
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

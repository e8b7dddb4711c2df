#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Prepares the kernels that clang makes of enqueued blocks. clang gives them external linkage and names made
/// of the enclosing function's name (`__f_block_invoke_kernel`), which may clash with names of other modules
/// when modules are linked. This function gives the kernels internal linkage and the attribute
/// hostcl.block_kernel. A block literal is clang's structure with the block's captured variables. This
/// function removes what is never read: the address of the block's function in each literal, and whole
/// literals without captured variables.
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

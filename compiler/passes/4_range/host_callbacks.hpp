#pragma once

// Lowers host callbacks: kernels reach the host through their launch, so calls of the functions in host_callbacks.cpp's
// table become indirect calls through abi::HostCallbacks. Part of kernel-entry.
//
//   before:  %r = call i32 @__hostcl_printf(ptr addrspace(2) %format, ptr %arguments)
//
//   after:   %host_callbacks = load ptr, ptr (%launch + offset of abi::Launch::host_callbacks)
//            %context = load ptr, ptr (%host_callbacks + offset of abi::HostCallbacks::context)
//            %callback = load ptr, ptr (%host_callbacks + offset of abi::HostCallbacks::print)
//            %r = call i32 %callback(ptr %context, ptr addrspace(2) %format, ptr %arguments)
//
// Callbacks that concern the launch itself get %launch after %context. Only an entry function has a launch, so
// functions that call one of these functions are always inlined into the kernel.

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the function is lowered to a host callback.
bool is_host_callback(const llvm::Function& function);

/// Lowers the calls in the entry function to which the parameter `launch` belongs.
void lower_host_callbacks(llvm::Argument& launch);

} // namespace hostcl::compiler

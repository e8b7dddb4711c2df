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
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the function is lowered to a host callback.
bool is_host_callback(const llvm::Function& function);

/// The address of a byte whose lowest bit is 1 if the range of groups has to end after a group that has waited
/// (2_vector/control/waiting_loops.cpp); null if no loop of the function waits.
llvm::Value* ends_range(const llvm::Function& function);

/// Lowers the calls in the entry function to which the parameter `launch` belongs.
void lower_host_callbacks(llvm::Argument& launch);

} // namespace hostcl::compiler

#pragma once

// Lowers host callbacks: kernels reach the host through their launch, so calls of the functions in service_calls.cpp's
// table become indirect calls through abi::Services. Part of kernel-entry.
//
//   before:  %r = call i32 @__hostcl_printf(ptr addrspace(2) %format, ptr %arguments)
//
//   after:   %services = load ptr, ptr (%launch + offset of abi::Launch::services)
//            %context = load ptr, ptr (%services + offset of abi::Services::context)
//            %service = load ptr, ptr (%services + offset of abi::Services::print)
//            %r = call i32 %service(ptr %context, ptr addrspace(2) %format, ptr %arguments)
//
// Callbacks that concern the launch itself get %launch after %context. Only an entry function has a launch, so
// functions that call one of these functions are always inlined into the kernel.

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the function is lowered to a host callback.
bool is_service(const llvm::Function& function);

/// Lowers the calls in the entry function to which the parameter `launch` belongs.
void lower_service_calls(llvm::Argument& launch);

} // namespace hostcl::compiler

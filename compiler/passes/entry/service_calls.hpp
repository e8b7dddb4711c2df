#pragma once

// Kernels reach the host through their launch: calls of the functions below become calls of abi::Services.
//
//   before:  %r = call i32 @__hostcl_printf(ptr addrspace(2) %format, ptr %arguments)
//
//   after:   %services = load ptr, ptr (%launch + offset of abi::Launch::services)
//            %context = load ptr, ptr (%services + offset of abi::Services::context)
//            %service = load ptr, ptr (%services + offset of abi::Services::print)
//            %r = call i32 %service(ptr %context, ptr addrspace(2) %format, ptr %arguments)
//
// Services that concern the launch itself get %launch after %context.
// Only an entry function has a launch, so functions that ask for a service are inlined into the kernel.
// Part of kernel-entry.

namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace hostcl::compiler {

/// Whether it is one of these functions.
bool is_service(const llvm::Function& function);

/// Lowers the calls in the entry function that has the parameter `launch`.
void lower_service_calls(llvm::Argument& launch);

} // namespace hostcl::compiler

#pragma once

// Lowers clang's variadic call of printf to a call of the host with a block of packed arguments
// (compiler/abi/printf.hpp). `kernel-entry` later turns that call into a host callback of the launch
// (passes/4_range/host_callbacks.hpp). The vectoriser repeats the call for each lane.
//
//   before: %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %x, <4 x float> %v)
//   after:  store i64 <header: integer, 4 bytes, 1>, ptr %block
//           store i32 %x, ptr %block + 8
//           store i64 <header: real, 4 bytes, 4>, ptr %block + 16
//           store float <element 0 of %v>, ptr %block + 24    ; and so on, without padding
//           store i64 0, ptr %block + 40
//           %r = call i32 @__hostcl_printf(ptr addrspace(2) @format, ptr %block)
//
// %block is one stack slot of the function, as large as the largest call needs, and shared by all calls.
//
// Tests: tests/passes/1_kernel/lower_printf*.ll

#include "llvm/IR/PassManager.h"

namespace hostcl::compiler {

/// Whether the function is clang's declaration of printf.
bool is_printf(const llvm::Function& function);

} // namespace hostcl::compiler

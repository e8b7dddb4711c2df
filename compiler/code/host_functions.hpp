#pragma once

// Functions of libraries that machine code of kernels may call by symbol name. They need no launch. Functions
// of the runtime that kernels call are host callbacks (abi::HostCallbacks) instead. The list also has one variable,
// shadow_mask.

#include <cstdint>
#include <span>

namespace hostcl::compiler {

struct HostFunction {
  const char* name;
  void* address;
};

std::span<const HostFunction> host_functions();

/// For the check `uninitialised`: the XOR of the addresses of memory and of its shadow. Machine code reads the variable as
/// `__hostcl_shadow_mask`. The runtime sets it before kernels with this check are compiled.
extern std::uint64_t shadow_mask;

} // namespace hostcl::compiler

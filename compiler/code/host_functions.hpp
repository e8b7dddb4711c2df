#pragma once

// Functions of libraries that machine code of kernels may call by symbol name. They need no launch. Functions
// of the runtime that kernels call are host callbacks (abi::HostCallbacks) instead.

#include <span>

namespace hostcl::compiler {

struct HostFunction {
  const char* name;
  void* address;
};

std::span<const HostFunction> host_functions();

} // namespace hostcl::compiler

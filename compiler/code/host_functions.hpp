#pragma once

// Functions of libraries that machine code of kernels may call, by symbol name: wherever they are called from, without
// a launch. What kernels ask of the runtime is in abi::Services.

#include <span>

namespace hostcl::compiler {

struct HostFunction {
  const char* name;
  void* address;
};

std::span<const HostFunction> host_functions();

} // namespace hostcl::compiler

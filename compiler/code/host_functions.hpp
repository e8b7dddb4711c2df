#pragma once

// Functions of this process that machine code of kernels may call, by symbol name.

#include <span>

namespace hostcl::compiler {

struct HostFunction {
  const char* name;
  void* address;
};

std::span<const HostFunction> host_functions();

} // namespace hostcl::compiler

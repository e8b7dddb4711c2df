#pragma once

// The part of load() that needs LLVM: divides a program into the parts that the runtime uses.

#include "compiler/code/program_variables.hpp"
#include "compiler/compiler.hpp"

#include <cstddef>
#include <vector>

namespace hostcl::compiler {

struct ProgramParts {
  std::vector<KernelSignature> signatures; ///< kernels of blocks come last
  std::size_t api_kernels = 0;             ///< number of the other kernels
  ProgramVariables variables;
};

} // namespace hostcl::compiler

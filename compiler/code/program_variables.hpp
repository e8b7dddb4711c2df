#pragma once

// Variables in program scope: there is one copy for a program, independent of the kernels that use it and of
// how often they are compiled.

#include "compiler/compiler.hpp"

#include "llvm/Support/Error.h"

#include <cstddef>
#include <vector>

namespace llvm {
class Module;
}

namespace hostcl::compiler {

struct ProgramVariables {
  /// The program, in which the shared variables are only declared; null if it has none.
  ModulePtr program;
  std::uint64_t bytes = 0;               ///< size of all global variables, padding included
  std::vector<std::string> initialisers; ///< kernels to run before all others, in this order
  std::vector<std::string> finalisers;   ///< kernels to run after all others, in this order
  std::vector<HostVariable> named;       ///< variables that the host knows by name
  std::string object;                    ///< object file that defines the variables; empty if there are none
};

/// What the runtime uses of a program.
struct ProgramParts {
  std::vector<KernelSignature> signatures; ///< kernels of blocks come last
  std::size_t api_kernels = 0;             ///< number of the other kernels
  ProgramVariables variables;
  std::vector<CoverageUnit> coverage;
};

/// Moves the variables that must exist only once into an object file of their own.
/// @param module the IR of `program`. This function changes `module`, and the caller must not use it any more
llvm::Expected<ProgramVariables> separate_variables(const Module& program, llvm::Module& module,
                                                    const HostCpu& cpu);

} // namespace hostcl::compiler

#pragma once

// Program-scope variables: one copy for a program, whichever kernels use it and however often they are
// compiled.

#include "compiler/compiler.hpp"

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace hostcl::compiler {

struct ProgramVariables {
  ModulePtr program;                     ///< the program with its variables declared only
  std::uint64_t bytes = 0;               ///< of all global variables, padding included
  std::vector<std::string> initialisers; ///< kernels to run before any other, in order
  std::vector<std::string> finalisers;   ///< kernels to run after all others, in order
  std::vector<HostVariable> named;       ///< those that the host asks for by name
  std::vector<std::byte> object;         ///< that defines the variables; empty where there are none
};

/// Moves the variables that must exist once into an object of their own.
/// `module` is `program` in memory; it is left in an unspecified state.
llvm::Expected<ProgramVariables> separate_variables(const ModulePtr& program, llvm::Module& module);

} // namespace hostcl::compiler

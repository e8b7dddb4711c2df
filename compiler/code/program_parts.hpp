#pragma once

// What load() asks LLVM about a program.

#include "compiler/code/program_variables.hpp"
#include "compiler/compiler.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <span>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace hostcl::compiler {

struct ProgramParts {
  std::vector<KernelSignature> signatures; ///< kernels of blocks are the last
  std::size_t api_kernels = 0;             ///< those before
  ProgramVariables variables;
};

/// Takes a program to its parts.
/// @param module the program in memory, which is left in an unspecified state
llvm::Expected<ProgramParts> parts_of(const ModulePtr& program, llvm::Module& module);

/// The same by a compile server, or here where there is none. Called by isolated work.
llvm::Expected<ProgramParts> parts_of(const ModulePtr& program);

/// Does this in a server. @returns the reply
/// @param in_memory calls the function with the program's IR, and returns true, if it has that in memory
std::vector<std::byte>
serve_parts(std::span<const std::byte> request,
            llvm::function_ref<bool(const Module&, llvm::function_ref<void(llvm::Module&)>)> in_memory);

} // namespace hostcl::compiler

#pragma once

// The part of load() that needs LLVM: divides a program into the parts that the runtime uses.

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
  std::vector<KernelSignature> signatures; ///< kernels of blocks come last
  std::size_t api_kernels = 0;             ///< number of the other kernels
  ProgramVariables variables;
};

/// Divides a program into its parts.
/// @param module the program's IR, which is left in an unspecified state
llvm::Expected<ProgramParts> parts_of(const ModulePtr& program, llvm::Module& module);

/// Like the function above, but reads the IR from the program; done by a compile server, or in this process
/// if there is no server. Must be called by isolated work.
llvm::Expected<ProgramParts> parts_of(const ModulePtr& program);

/// Handles the request in a compile server. @returns the reply
/// @param in_memory if the server still has the program's IR, calls the function with it and returns true
std::vector<std::byte>
serve_parts(std::span<const std::byte> request,
            llvm::function_ref<bool(const Module&, llvm::function_ref<void(llvm::Module&)>)> in_memory);

} // namespace hostcl::compiler

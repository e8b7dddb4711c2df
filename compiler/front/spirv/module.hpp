#pragma once

// Converts SPIR-V to IR.

#include "compiler/jobs/program_requests.hpp"

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler::spirv {

/// Reads a module to IR for spir64, which uses the built-in library as clang's IR does.
/// @param request a request whose options are ignored
/// @param with_lines whether the IR has source lines, as far as the module has them
/// @returns an error that names the instruction and the rule, if the module is refused
llvm::Expected<std::unique_ptr<llvm::Module>> read_module(llvm::LLVMContext& context,
                                                          const CompileIlRequest& request, bool with_lines);

} // namespace hostcl::compiler::spirv

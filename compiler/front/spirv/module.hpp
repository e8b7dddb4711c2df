#pragma once

// SPIR-V to IR.

#include "compiler/compiler.hpp"

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler::spirv {

/// Reads a module for spir64, which uses the built-in library as clang's modules do.
/// @param with_lines whether code tells its lines of the source, as far as the module has them
/// @returns an error if the module is refused, which names the instruction and the rule
llvm::Expected<std::unique_ptr<llvm::Module>> read_module(llvm::LLVMContext& context,
                                                          std::span<const std::byte> il,
                                                          std::span<const Specialisation> values,
                                                          bool with_lines = false);

} // namespace hostcl::compiler::spirv

#pragma once

// SPIR-V to IR.

#include "compiler/compiler.hpp"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler::spirv {

/// Reads a module for spir64, which uses the built-in library as clang's modules do.
/// @returns null if the module is refused; the log then names the instruction and the rule
std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext& context, std::span<const std::byte> il,
                                          std::span<const Specialisation> values, std::string& log);

} // namespace hostcl::compiler::spirv

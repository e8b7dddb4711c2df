#pragma once

// Loads programs whose IR is in memory.

#include "compiler/compiler.hpp"

namespace llvm {
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// load() for a program that has just been compiled.
/// @param module the IR from which `program` was written. Left in an unspecified state: variables that all
/// kernels share become declarations
Outcome<std::shared_ptr<Executable>> load(const ModulePtr& program, llvm::Module& module);

} // namespace hostcl::compiler

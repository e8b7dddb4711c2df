#pragma once

// Loads programs whose IR is in memory.

#include "compiler/compiler.hpp"

namespace llvm {
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// load() for a program that has just been compiled.
/// @param module the IR that `program` was written from. Its variables become declarations
Outcome<std::shared_ptr<Executable>> load(const ModulePtr& program, llvm::Module& module);

} // namespace hostcl::compiler

#pragma once

// Loads programs that are in memory.

#include "compiler/compiler.hpp"

namespace llvm {
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// load(), for a program that has just been compiled.
/// @param module the IR that `program` was written from; variables of the program become declarations
Outcome<std::shared_ptr<Executable>> load(const ModulePtr& program, llvm::Module& module);

} // namespace hostcl::compiler

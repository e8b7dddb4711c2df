#pragma once

// Functions and variables that a program declares and uses without a definition. An object may leave them to
// other objects; the linked program must not.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the library or the passes have a body for a declared function.
bool is_provided(const llvm::Function& function);

/// Whether the module declares something that is neither defined nor provided.
bool leaves_undefined(const llvm::Module& module);

/// Notes in the module where its undefined symbols are declared.
/// @param location "file:line:column" for the name of a symbol, or nothing
void note_declarations(llvm::Module& module, llvm::function_ref<std::string(llvm::StringRef)> location);

/// Appends an error to the log for everything that is used but undefined. @returns whether there is nothing
bool report_undefined(const llvm::Module& module, std::string& log);

} // namespace hostcl::compiler

#pragma once

// Functions and variables that a program uses without defining them. An object may leave their definition to
// other objects; in a linked program they are errors.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the built-in library or a pass provides the body of a declared function.
bool is_provided(const llvm::Function& function);

/// Whether the module uses a symbol that is neither defined nor provided.
bool leaves_undefined(const llvm::Module& module);

/// Records in the module where its undefined symbols are declared.
/// @param location returns "file:line:column" for the name of a symbol, or nothing
void note_declarations(llvm::Module& module, llvm::function_ref<std::string(llvm::StringRef)> location);

/// Appends an error to the log for each undefined symbol that is used. @returns whether there is no such
/// symbol
bool report_undefined(const llvm::Module& module, std::string& log);

} // namespace hostcl::compiler

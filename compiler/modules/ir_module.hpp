#pragma once

// Converts between serialised modules and IR in memory.

#include "compiler/compiler.hpp"

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// Triple and data layout that clang uses for spir64. Programs of all languages have these, since they are
/// linked with each other and with the built-in library.
inline constexpr const char* spir64_triple = "spir64";
inline constexpr const char* spir64_layout =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1";

/// Reads what serialise() has written, without validation of the IR.
llvm::Expected<ModulePtr> deserialise_own(std::span<const std::byte> bytes);

/// Reads a module that anybody may have written: check_ir() validates its IR, from which its properties are derived.
/// Fails if the module was compiled for a device that has an extension or feature which the device of the settings
/// lacks: the device could not compile the module's source.
llvm::Expected<ModulePtr> deserialise_foreign(std::span<const std::byte> bytes, const Settings& settings);

std::vector<std::byte> write_bitcode(const llvm::Module& module);

/// Reads a whole module.
llvm::Expected<std::unique_ptr<llvm::Module>> read_bitcode(llvm::LLVMContext& context, const Module& module);

/// Reads declarations. Bodies and metadata are read when they are materialised; `module` must exist until
/// then.
llvm::Expected<std::unique_ptr<llvm::Module>> read_declarations(llvm::LLVMContext& context,
                                                                const Module& module);

} // namespace hostcl::compiler

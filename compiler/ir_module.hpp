#pragma once

// Between serialised modules and IR in memory.

#include "compiler/compiler.hpp"

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler {

std::vector<std::byte> write_bitcode(const llvm::Module& module);

/// Reads the whole module.
llvm::Expected<std::unique_ptr<llvm::Module>> read_bitcode(llvm::LLVMContext& context, const Module& module);

/// Reads declarations; bodies and metadata are read when they are materialised, until when `module` has to
/// exist.
llvm::Expected<std::unique_ptr<llvm::Module>> read_declarations(llvm::LLVMContext& context,
                                                                const Module& module);

} // namespace hostcl::compiler

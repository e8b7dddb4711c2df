#pragma once

// From a program to a module that holds one kernel and what it needs.

#include "compiler/compiler.hpp"

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// A kernel under compilation. `kernel` is in `module`, which it shares with declarations, constants and
/// functions that are not to be inlined.
struct KernelModule {
  std::unique_ptr<llvm::Module> module;
  llvm::Function* kernel = nullptr;
};

/// Reads only `name` and what it calls from a program's bitcode, and links the built-ins.
llvm::Expected<KernelModule> extract_kernel(llvm::LLVMContext& context, const Module& program,
                                            llvm::StringRef name);

} // namespace hostcl::compiler

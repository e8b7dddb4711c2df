#pragma once

// Extracts one kernel of a program, with the functions and variables it needs, into a module of its own.

#include "compiler/abi/image_facts.hpp"
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

/// Reads only `name` and the functions it calls from a program's bitcode, and links the built-ins.
/// @param facts about the launches that the code is for
llvm::Expected<KernelModule> extract_kernel(llvm::LLVMContext& context, const Module& program,
                                            llvm::StringRef name, const ImageFacts& facts);

} // namespace hostcl::compiler

#pragma once

// Extracts a kernel from a program, with the functions and variables that it needs, into a module of its own.

#include "compiler/abi/image_properties.hpp"
#include "compiler/compiler.hpp"

#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// A kernel that is being compiled, in a module of its own. Besides the kernel, `module` has the functions
/// that the kernel calls (until the pipeline inlines them), constants, and declarations of variables that the
/// program's kernels share.
struct KernelModule {
  std::unique_ptr<llvm::Module> module;
  llvm::Function* kernel = nullptr;
};

/// Reads only the kernel `name` and the functions that it calls from a program's bitcode, and links
/// built-ins.
/// @param properties image properties of the launches that the code is for
llvm::Expected<KernelModule> extract_kernel(llvm::LLVMContext& context, const Module& program,
                                            llvm::StringRef name, const ImageProperties& properties,
                                            const Settings& settings);

} // namespace hostcl::compiler

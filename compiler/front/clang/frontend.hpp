#pragma once

// OpenCL C and C++ for OpenCL source to IR, by clang in this process.

#include "compiler/compiler.hpp"
#include "compiler/front/clang/options.hpp"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// The name that diagnostics give the source that an application passed as a string.
inline constexpr const char* source_name = "program.cl";

struct FrontendResult {
  std::unique_ptr<llvm::Module> module; ///< for spir64, unoptimised; null if the source has errors
  std::string log;                      ///< diagnostics
  bool reproducible = false; ///< whether all of it depends on nothing but the arguments of run_frontend()
};

/// Compiles one translation unit.
FrontendResult run_frontend(llvm::LLVMContext& context, std::string_view source, const Options& options,
                            std::span<const Header> headers);

/// The argument of set_reads_files().
bool may_read_files();

} // namespace hostcl::compiler

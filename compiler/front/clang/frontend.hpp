#pragma once

// Compiles OpenCL C and C++ for OpenCL to IR, by clang in this process.

#include "compiler/compiler.hpp"
#include "compiler/front/clang/options.hpp"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// The file name that diagnostics use for source that the application passes as a string.
inline constexpr const char* source_name = "program.cl";

struct FrontendResult {
  std::unique_ptr<llvm::Module> module; ///< for spir64, not optimised; null if the source has errors
  std::string log;                      ///< diagnostics
  bool reproducible = false; ///< whether the result depends only on the arguments of run_frontend()
};

/// Compiles a translation unit.
FrontendResult run_frontend(llvm::LLVMContext& context, std::string_view source, const Options& options,
                            std::span<const Header> headers);

/// The argument of the last set_reads_files().
bool may_read_files();

} // namespace hostcl::compiler

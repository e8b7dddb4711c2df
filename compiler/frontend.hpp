#pragma once

// OpenCL C and C++ for OpenCL source to IR, by clang in this process.

#include "compiler/compiler.hpp"
#include "compiler/options.hpp"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace hostcl::compiler {

/// What a diagnostic calls the source that an application passed as a string.
inline constexpr const char* source_name = "program.cl";

/// Compiles one translation unit for spir64, unoptimised; null if it has errors. Diagnostics are appended to
/// `log`.
std::unique_ptr<llvm::Module> run_frontend(llvm::LLVMContext& context, std::string_view source,
                                           const Options& options, std::span<const Header> headers,
                                           std::string& log);

} // namespace hostcl::compiler

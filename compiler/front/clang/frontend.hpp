#pragma once

// Compiles OpenCL C and C++ for OpenCL to IR, by clang in this process.

#include "compiler/front/clang/options.hpp"
#include "compiler/jobs/program_requests.hpp"

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
/// @param options the request's options, parsed
FrontendResult run_frontend(llvm::LLVMContext& context, const CompileRequest& request,
                            const Options& options);

/// A note for the log of a program that the front end has refused: the extensions and features that the program needs
/// and the device lacks. Empty if the device lacks none, or if the program does not compile for a device that has them
/// all either. Compiles the program up to ten times for each name in the note.
std::string needed_parts_note(const CompileRequest& request, const Options& options);

} // namespace hostcl::compiler

#pragma once

// Checks rules of OpenCL C that clang does not check: atomics (OpenCL C 6.15.12.8), pipes (6.15.14.1) and
// atomic counters (cl_ext_atomic_counters_32 and _64). Violations are ordinary errors with line and column.

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace hostcl::compiler {

/// Returns an AST consumer that reports violations. It must run before the code generator.
std::unique_ptr<clang::ASTConsumer> make_restriction_checker(clang::CompilerInstance& compiler);

} // namespace hostcl::compiler

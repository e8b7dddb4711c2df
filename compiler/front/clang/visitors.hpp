#pragma once

// Visitors of a program's syntax tree. They run before the code generator; what they report are ordinary errors with
// line and column.

#include "compiler/settings/language.hpp"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"

#include <memory>

namespace hostcl::compiler {

class Visitor : public clang::DynamicRecursiveASTVisitor {
protected:
  /// @param compiler has an ASTContext
  explicit Visitor(clang::CompilerInstance& compiler)
      : context_(compiler.getASTContext()), diagnostics_(compiler.getDiagnostics()) {}

  template <unsigned N>
  clang::DiagnosticBuilder
  error(clang::SourceLocation where, const char (&text)[N],
        clang::DiagnosticsEngine::Level level = clang::DiagnosticsEngine::Error) const {
    return diagnostics_.Report(where, diagnostics_.getCustomDiagID(level, text));
  }

  clang::ASTContext& context_;

private:
  clang::DiagnosticsEngine& diagnostics_;
};

/// Reports constructs that clang accepts in OpenCL programs, but that cannot work here: attributes of symbols, since
/// functions are inlined into kernels; builtins that become calls of a C library; assembly; addresses of labels; number
/// types without arithmetic. The code generator might crash on them. Test: tests/kernels/language/attributes.cpp
std::unique_ptr<Visitor> make_unsupported_finder(clang::CompilerInstance& compiler);

/// Reports uses of extensions and features that the device lacks and clang accepts nevertheless: types and functions
/// that clang cannot turn off, or cannot turn off in all versions of the language. If the device lacks
/// cl_intel_required_subgroup_size, drops its attribute with a warning. Test: compiler/tests/language.cpp
/// @param language must outlive the visitor
std::unique_ptr<Visitor> make_missing_finder(clang::CompilerInstance& compiler, const Language& language);

/// Checks rules of OpenCL C that clang does not check: atomics (OpenCL C 6.15.12.8), pipes (6.15.14.1), atomic
/// counters (cl_ext_atomic_counters_32 and _64) and required sub-group sizes (cl_intel_required_subgroup_size).
/// @param language must outlive the visitor
std::unique_ptr<Visitor> make_restriction_checker(clang::CompilerInstance& compiler,
                                                  const Language& language);

/// Rewrites two kinds of expressions for which clang's code generator crashes or writes invalid IR, in programs whose
/// language version has blocks: comparisons of queues or of events, and blocks in parentheses that are enqueued or
/// called. Reports an error for a block that is not a block literal, directly or through variables.
std::unique_ptr<Visitor> make_enqueue_repairer(clang::CompilerInstance& compiler);

} // namespace hostcl::compiler

#pragma once

// Reports constructs that clang accepts in OpenCL programs, but that cannot work here: attributes of symbols,
// since functions are inlined into kernels; builtins that become calls of a C library; assembly; addresses of
// labels; number types without arithmetic. They are found when the program is built, and reported as ordinary
// errors with line and column. Test: tests/kernels/language/attributes.cpp

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace hostcl::compiler {

/// Returns an AST consumer that reports these constructs. It must run before the code generator, which might
/// crash on them.
std::unique_ptr<clang::ASTConsumer> make_unsupported_finder(clang::CompilerInstance& compiler);

} // namespace hostcl::compiler

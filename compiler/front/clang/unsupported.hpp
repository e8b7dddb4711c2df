#pragma once

// Finds constructs that clang accepts in OpenCL programs, but that kernels for a host cannot have: attributes
// of symbols, as a kernel takes the functions that it calls into itself; builtins that become calls of a C
// library; assembly; addresses of labels; numbers without arithmetic. Found when the program is built, these
// are ordinary errors with line and column. Test: tests/kernels/language/attributes.cpp

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace hostcl::compiler {

/// A consumer that reports them; it must run before code generation's, which they may confuse.
std::unique_ptr<clang::ASTConsumer> make_unsupported_finder(clang::CompilerInstance& compiler);

} // namespace hostcl::compiler

#pragma once

// Rewrites expressions of programs that enqueue kernels for which clang's code generator crashes or makes
// invalid IR: comparisons of queues or events, and blocks in parentheses.

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace clang {
class CompilerInstance;
}

namespace hostcl::compiler {

/// A consumer that does so. It must run before the code generator.
std::unique_ptr<clang::ASTConsumer> make_enqueue_repairer(clang::CompilerInstance& compiler);

} // namespace hostcl::compiler

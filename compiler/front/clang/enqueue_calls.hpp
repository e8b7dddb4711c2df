#pragma once

// Rewrites two kinds of expressions in programs that enqueue kernels, because clang's code generator crashes
// or writes invalid IR for them: comparisons of queues or events, and blocks in parentheses.

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace clang {
class CompilerInstance;
}

namespace hostcl::compiler {

/// Returns an AST consumer that rewrites these expressions. It must run before the code generator.
std::unique_ptr<clang::ASTConsumer> make_enqueue_repairer(clang::CompilerInstance& compiler);

} // namespace hostcl::compiler

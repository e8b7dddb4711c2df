#pragma once

// Rewrites two kinds of expressions for which clang's code generator crashes or writes invalid IR, in
// programs whose language version has blocks: comparisons of queues or of events, and blocks in parentheses
// that are enqueued or called. Reports an error for a block that is not a block literal, directly or through
// variables.

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace clang {
class CompilerInstance;
}

namespace hostcl::compiler {

/// Returns an AST consumer that rewrites these expressions. It must run before the code generator.
std::unique_ptr<clang::ASTConsumer> make_enqueue_repairer(clang::CompilerInstance& compiler);

} // namespace hostcl::compiler

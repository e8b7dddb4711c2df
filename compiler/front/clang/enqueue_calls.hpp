#pragma once

// Repairs what clang's code generator crashes on or makes invalid IR of, in programs that enqueue kernels:
// comparisons of queues and of events, and blocks in parentheses.

#include "clang/AST/ASTConsumer.h"

#include <memory>

namespace clang {
class CompilerInstance;
}

namespace hostcl::compiler {

/// To be asked before the code generator.
std::unique_ptr<clang::ASTConsumer> make_enqueue_repairer(clang::CompilerInstance& compiler);

} // namespace hostcl::compiler

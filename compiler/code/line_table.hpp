#pragma once

#include "compiler/compiler.hpp"

namespace llvm {
class MemoryBuffer;
}

namespace hostcl::compiler {

/// The source lines of an object's code, with offsets into its text section. Empty unless the program was
/// compiled with -g.
std::vector<CodeLine> lines_of(const llvm::MemoryBuffer& object);

} // namespace hostcl::compiler

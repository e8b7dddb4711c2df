#pragma once

#include "compiler/compiler.hpp"

namespace llvm {
class MemoryBuffer;
}

namespace hostcl::compiler {

/// The lines that the code of an object was made of, by their offset in its text; none unless the program was compiled
/// with -g.
std::vector<CodeLine> lines_of(const llvm::MemoryBuffer& object);

} // namespace hostcl::compiler

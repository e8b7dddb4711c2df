#pragma once

// What -cl-denorms-are-zero makes of a kernel's entry, for each kind of CPU in a file of its own
// (flush_denormals_NAME.cpp): subnormal operands and results of float and double count as zero, which spares the
// processor its slow path for them.

namespace llvm {
class BasicBlock;
}

namespace hostcl::compiler {

/// The thread has this mode from the end of `first`, the entry block, to that of `last`. Neither has a terminator yet.
void flush_denormals(llvm::BasicBlock& first, llvm::BasicBlock& last);

} // namespace hostcl::compiler

#pragma once

// Implements -cl-denorms-are-zero: switches the CPU to a mode in which subnormal operands and results of float and
// double count as zero, which avoids its slow path for subnormals. Each architecture has its own source file
// (flush_denormals_NAME.cpp).

namespace llvm {
class BasicBlock;
}

namespace hostcl::compiler {

/// Sets the mode at the end of `first`, the entry block, and restores the previous mode at the end of `last`. Neither
/// block has a terminator yet.
void flush_denormals(llvm::BasicBlock& first, llvm::BasicBlock& last);

} // namespace hostcl::compiler

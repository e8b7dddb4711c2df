#pragma once

// Loops that wait for another work-item. With lanes in one loop the lane that holds the lock cannot go on to
// release it, so kernels with such a loop run one work-item at a time.

namespace llvm {
class DominatorTree;
class Instruction;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

/// An access whose result keeps a loop running until another work-item writes, or null. An exchange that is
/// retried with the value that it saw, and a counter that every iteration advances, do not count.
/// @param loops these are all cycles: there is no irreducible control flow
const llvm::Instruction* find_spinning_access(const llvm::LoopInfo& loops,
                                              const llvm::DominatorTree& dominators);

} // namespace hostcl::compiler

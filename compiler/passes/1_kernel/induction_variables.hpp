#pragma once

// The loop part of `canonical-indices` (canonical_indices.cpp), which rewrites induction variables.

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

/// Replaces 64-bit induction variables of which only the low 32 bits are used by 32-bit ones. @returns whether anything
/// changed
bool narrow_inductions(llvm::Loop& loop);

/// Rewrites the loop's pointer induction variables as a base pointer plus an integer induction variable. @returns
/// whether anything changed
bool index_pointer_inductions(llvm::Loop& loop, const llvm::LoopInfo& loops,
                              const llvm::DominatorTree& dominators);

} // namespace hostcl::compiler

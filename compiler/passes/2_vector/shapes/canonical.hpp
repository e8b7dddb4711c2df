#pragma once

// Brings a kernel into the canonical form that the vectoriser expects:
// - no switch that controls a barrier, no switch with fewer than two cases, no case with the default's successor, and
//   no conditional branch with two equal successors;
// - one return, no block that cannot be reached, and none that ends in `unreachable`;
// - no irreducible control flow;
// - loops in LLVM's loop-simplify form, and in LCSSA form.

#include "llvm/Support/Error.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class LoopInfo;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// Canonicalises the function and computes the two analyses for the result. Fails for control flow that cannot be
/// brought into this form; the function is then in an unspecified state.
llvm::Error canonicalise(llvm::Function& function, llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

/// The condition of the branch or switch at the end of the block; null if the block has at most one successor.
const llvm::Value* deciding_value(const llvm::BasicBlock& block);

} // namespace hostcl::compiler

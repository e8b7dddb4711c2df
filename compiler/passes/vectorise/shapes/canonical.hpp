#pragma once

// Brings a kernel into the form that the vectoriser takes: no switch that decides about a barrier, none with
// a case whose successor is the default's, one return, no unreachable block, reducible, loops simplified and
// in LCSSA form.

#include "llvm/Support/Error.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class LoopInfo;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// Brings the function into that form. Analyses are computed into the given objects.
llvm::Error canonicalise(llvm::Function& function, llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

/// The value by which a branch or switch at the end of the block chooses its successor; null if there is only
/// one.
const llvm::Value* deciding_value(const llvm::BasicBlock& block);

} // namespace hostcl::compiler

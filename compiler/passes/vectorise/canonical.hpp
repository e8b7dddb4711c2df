#pragma once

// Brings a kernel into the form that the vectoriser takes: no switch, one return, no unreachable block,
// reducible, loops simplified and in LCSSA form.

namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

/// Why the function cannot be brought into that form, or null. Analyses are computed into the given objects.
const char* canonicalise(llvm::Function& function, llvm::DominatorTree& dominators, llvm::LoopInfo& loops);

} // namespace hostcl::compiler

#pragma once

// Sets of analyses that function passes preserve.

#include "llvm/IR/Analysis.h"

namespace hostcl::compiler {

/// For passes that change instructions but no branches.
inline llvm::PreservedAnalyses all_but_values(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace hostcl::compiler

#pragma once

// Sets of analyses that function passes preserve, and the loop of passes that change one instruction at a time.

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Analysis.h"
#include "llvm/IR/InstIterator.h"

namespace hostcl::compiler {

/// For passes that change instructions but no branches.
inline llvm::PreservedAnalyses all_but_values(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

/// Calls `change` for each instruction. `change` returns whether it has changed anything. It may erase the instruction
/// and insert others before it, but must neither erase another instruction nor change branches.
template <typename Change>
llvm::PreservedAnalyses change_each(llvm::Function& function, const Change& change) {
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    changed |= change(instruction);
  return all_but_values(changed);
}

} // namespace hostcl::compiler

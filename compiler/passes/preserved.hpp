#pragma once

// Sets of analyses that function passes preserve, and the loops of passes that change or replace one instruction at a
// time.

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

/// Replaces each instruction for which `value_of` returns a value instead of null, and erases it. `value_of` may insert
/// instructions before it.
template <typename ValueOf>
llvm::PreservedAnalyses replace_each(llvm::Function& function, const ValueOf& value_of) {
  return change_each(function, [&](llvm::Instruction& instruction) {
    llvm::Value* value = value_of(instruction);
    if (!value) return false;
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
    return true;
  });
}

} // namespace hostcl::compiler

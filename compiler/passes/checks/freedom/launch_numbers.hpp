#pragma once

// Writes code that computes, before the work-items of a launch run, values that are constant for the launch, and the
// conditions under which these values are right.

#include "compiler/passes/checks/freedom/launch_forms.hpp"
#include "compiler/passes/checks/intervals.hpp"

#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// The values and conditions of one kernel's proof.
class LaunchNumbers : public CheckedArithmetic {
public:
  LaunchNumbers(LaunchForms& forms, llvm::ScalarEvolution& evolution, llvm::IRBuilder<>& builder)
      : CheckedArithmetic(builder),
        forms_(forms),
        evolution_(evolution),
        intervals_(evolution, builder, ItemsOf::launch) {}

  /// The value of a form whose leaves are constant for the launch, i64.
  llvm::Value* of(const LinearForm& form);
  /// The greatest value of a term's variable, i64; the least is 0. Null if it is unknown.
  llvm::Value* last_of(const llvm::Value& variable);
  /// The greatest local or group id along a dimension.
  llvm::Value* last_id(Intrinsic id, unsigned dimension) { return intervals_.of_id(id, dimension).high; }

  using CheckedArithmetic::require;
  /// Adds the condition that a sum fits its type for all work-items of the launch. @returns false if it cannot be
  /// expressed
  bool require(const Narrow& narrow);

private:
  llvm::Value* of_leaf(const llvm::Value& leaf);

  LaunchForms& forms_;
  llvm::ScalarEvolution& evolution_;
  Intervals intervals_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> leaves_, lasts_;
};

} // namespace hostcl::compiler

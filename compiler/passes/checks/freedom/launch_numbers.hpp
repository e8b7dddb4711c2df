#pragma once

// Writes code that computes, before the work-items of a launch run, values that are constant for the launch, and the
// conditions under which these values are right. Sums and products are exact: a condition says that none of them
// overflows 64 bits.

#include "compiler/passes/checks/freedom/launch_forms.hpp"
#include "compiler/passes/checks/intervals.hpp"

#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

/// The values and conditions of one kernel's proof.
class LaunchNumbers {
public:
  LaunchNumbers(LaunchForms& forms, llvm::ScalarEvolution& evolution, llvm::IRBuilder<>& builder)
      : forms_(forms),
        evolution_(evolution),
        build_(builder),
        intervals_(evolution, builder, ItemsOf::launch) {}

  /// The value of a form whose leaves are constant for the launch, i64.
  llvm::Value* of(const LinearForm& form);
  /// The greatest value of a term's variable, i64; the least is 0. Null if it is unknown.
  llvm::Value* last_of(const llvm::Value& variable);
  /// Adds the condition that a sum fits its type for all work-items of the launch. @returns false if it cannot be
  /// expressed
  bool require(const Narrow& narrow);

  llvm::Value* add(llvm::Value* a, llvm::Value* b) {
    return checked(llvm::Intrinsic::sadd_with_overflow, a, b);
  }
  llvm::Value* multiply(llvm::Value* a, llvm::Value* b) {
    return checked(llvm::Intrinsic::smul_with_overflow, a, b);
  }
  llvm::Value* least(llvm::Value* a, llvm::Value* b) { return extreme(llvm::Intrinsic::smin, a, b); }
  llvm::Value* greatest(llvm::Value* a, llvm::Value* b) { return extreme(llvm::Intrinsic::smax, a, b); }
  void require(llvm::Value* condition) { holds_ = holds_ ? build_.CreateAnd(holds_, condition) : condition; }
  /// The conjunction of all conditions, i1.
  llvm::Value* holds() { return holds_ ? holds_ : build_.getTrue(); }

private:
  llvm::Value* of_leaf(const llvm::Value& leaf);
  llvm::Value* ask(const llvm::Value& query);
  llvm::Value* checked(llvm::Intrinsic::ID operation, llvm::Value* a, llvm::Value* b);
  llvm::Value* extreme(llvm::Intrinsic::ID operation, llvm::Value* a, llvm::Value* b);
  void require_range(llvm::Value* low, llvm::Value* high, unsigned bits, bool is_signed);

  LaunchForms& forms_;
  llvm::ScalarEvolution& evolution_;
  llvm::IRBuilder<>& build_;
  Intervals intervals_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> leaves_, lasts_;
  llvm::Value* holds_ = nullptr;
};

} // namespace hostcl::compiler

#pragma once

// Writes arithmetic of signed 64-bit integers, and the condition that its results are right: no overflow has happened,
// and all other conditions that were required hold.

#include "llvm/IR/IRBuilder.h"

namespace hostcl::compiler {

class CheckedArithmetic {
public:
  /// @param holds a condition (i1) from the beginning; null stands for true
  explicit CheckedArithmetic(llvm::IRBuilder<>& builder, llvm::Value* holds = nullptr)
      : build_(builder), holds_(holds) {}

  llvm::Value* add(llvm::Value* a, llvm::Value* b) {
    return checked(llvm::Intrinsic::sadd_with_overflow, a, b);
  }
  llvm::Value* multiply(llvm::Value* a, llvm::Value* b) {
    return checked(llvm::Intrinsic::smul_with_overflow, a, b);
  }
  llvm::Value* least(llvm::Value* a, llvm::Value* b) { return extreme(llvm::Intrinsic::smin, a, b); }
  llvm::Value* greatest(llvm::Value* a, llvm::Value* b) { return extreme(llvm::Intrinsic::smax, a, b); }

  /// Adds a condition (i1) to those that must hold; null stands for true.
  void require(llvm::Value* condition);
  /// Requires that all numbers from `low` to `high` fit an integer of this many bits.
  void require_fits(llvm::Value* low, llvm::Value* high, unsigned bits, bool is_signed);
  /// Whether all conditions hold (i1); null stands for true.
  llvm::Value* holds() const { return holds_; }

private:
  llvm::Value* checked(llvm::Intrinsic::ID operation, llvm::Value* a, llvm::Value* b);
  llvm::Value* extreme(llvm::Intrinsic::ID operation, llvm::Value* a, llvm::Value* b);

protected:
  llvm::IRBuilder<>& build_;

private:
  llvm::Value* holds_;
};

} // namespace hostcl::compiler

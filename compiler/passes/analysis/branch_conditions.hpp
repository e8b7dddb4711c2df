#pragma once

// What the branches on the way to a block tell of numbers there:
//
//   if (lid < stride)
//     t[lid + stride]        lid < stride, as unsigned numbers
//
// A condition speaks of the values that the block sees: every way to it takes the branch anew.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class ScalarEvolution;
class SCEV;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// Calls `visit` with each condition that all who come to the block have found true, or false. Conditions that hold
/// together are visited one by one.
void for_conditions_at(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators,
                       llvm::function_ref<void(const llvm::Value& condition, bool holds)> visit);

/// `less` < `greater`, as signed or as unsigned numbers.
struct Order {
  const llvm::SCEV *less, *greater;
  bool is_signed, may_be_equal;
};

llvm::SmallVector<Order, 4> orders_at(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators,
                                      llvm::ScalarEvolution& evolution);

} // namespace hostcl::compiler

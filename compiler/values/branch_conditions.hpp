#pragma once

// Finds the conditions that hold in a block because of the branches that dominate it:
//
//   if (lid < stride)
//     t[lid + stride]        ; lid < stride, as unsigned numbers
//
// A condition is about the values that the block sees, also in loops: every path to the block executes the branch
// again.

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

/// Calls `visit` with each condition that is true (`holds`), or false, whenever the block runs. The parts of a logical
/// and that is true, or of a logical or that is false, are visited separately.
void for_conditions_at(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators,
                       llvm::function_ref<void(const llvm::Value& condition, bool holds)> visit);

/// The relation `less` < `greater`, or <= if may_be_equal, of signed or unsigned integers.
struct Order {
  const llvm::SCEV *less, *greater;
  bool is_signed, may_be_equal;
};

/// The integer comparisons among the conditions that hold in the block.
llvm::SmallVector<Order, 4> orders_at(const llvm::BasicBlock& block, const llvm::DominatorTree& dominators,
                                      llvm::ScalarEvolution& evolution);

} // namespace hostcl::compiler

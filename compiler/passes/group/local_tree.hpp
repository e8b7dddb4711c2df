#pragma once

// What loops do that reduce in local memory, in one of the forms that local_trees.hpp has.
// Test: tests/passes/group/local_trees.ll

#include <optional>

namespace llvm {
class Instruction;
class Loop;
class Type;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class LinearForms;

/// A loop that reduces `array` in steps, and what it does in each. Nothing of it is used after the loop.
struct LocalTree {
  llvm::Value* array = nullptr;
  llvm::Type* element = nullptr;
  llvm::Instruction* operation = nullptr;
  bool near_first = true;       ///< the operation's first operand is that of the work-item
  llvm::Value* start = nullptr; ///< the first offset, which is halved; null if offsets are 1, 2, 4, ...
  llvm::Value* end = nullptr;   ///< the offset that ends the loop, in that case
};

/// @param loop leaves for one block, which has no phis
std::optional<LocalTree> find_local_tree(const llvm::Loop& loop, LinearForms& forms);

} // namespace hostcl::compiler

#pragma once

// Recognises loops that are a tree reduction in local memory, in one of the forms that tree_reductions.hpp shows.
// Test: tests/passes/3_group/tree_reductions.ll

#include <optional>

namespace llvm {
class Instruction;
class Loop;
class Type;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class LinearForms;

/// A loop that is a tree reduction of `array`. No value of the loop is used after it.
struct TreeReduction {
  llvm::Value* array = nullptr;
  llvm::Type* element = nullptr;
  llvm::Instruction* operation = nullptr;
  bool near_first = true;       ///< whether array[local id] is the operation's first operand
  llvm::Value* start = nullptr; ///< the first offset, which is then halved; null if offsets are 1, 2, 4, ...
  llvm::Value* end = nullptr;   ///< if offsets are 1, 2, 4, ...: the offset that ends the loop
};

/// The tree reduction that the loop is; nothing if it is something else. @param loop must have a single exit block,
/// without phis
std::optional<TreeReduction> find_tree_reduction(const llvm::Loop& loop, LinearForms& forms);

} // namespace hostcl::compiler

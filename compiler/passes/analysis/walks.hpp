#pragma once

// How the work-items of a group walk through memory together.
//
// Test: tests/passes/group/lockstep_loops.ll

#include <cstdint>

namespace llvm {
class BasicBlock;
class Loop;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class LinearForms;

/// Bytes between neighbouring work-items that still share lines.
inline constexpr std::int64_t farthest_neighbour = 16;

/// Whether the value is likely to be uniform over the group for code in the block `at`.
bool is_alike(const llvm::Value& value, const llvm::BasicBlock& at, LinearForms& forms);

/// Whether neighbouring work-items share the cache lines that the loop reads, and leave them with each step; and none
/// reads a line of its own for some steps.
/// @param farthest bytes between neighbours
bool walks_side_by_side(const llvm::Loop& loop, LinearForms& forms,
                        std::int64_t farthest = farthest_neighbour);

} // namespace hostcl::compiler

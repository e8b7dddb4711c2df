#pragma once

// How the work-items of a group move through memory in a loop.
//
// Test: tests/passes/group/barrier_synchronised_loops.ll

#include <cstdint>

namespace llvm {
class BasicBlock;
class Loop;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class LinearForms;

/// The largest stride in bytes between neighbouring work-items at which several of them share a cache line.
inline constexpr std::int64_t farthest_neighbour = 16;

/// Whether the value is likely to be uniform over the group for code in the block `at`.
bool is_group_uniform(const llvm::Value& value, const llvm::BasicBlock& at, LinearForms& forms);

/// Whether neighbouring work-items share the cache lines that the loop reads and move on to other lines in each
/// iteration, and no load stays in a cache line of its own work-item for several iterations.
/// @param farthest the largest stride in bytes that counts as sharing
bool walks_side_by_side(const llvm::Loop& loop, LinearForms& forms,
                        std::int64_t farthest = farthest_neighbour);

} // namespace hostcl::compiler

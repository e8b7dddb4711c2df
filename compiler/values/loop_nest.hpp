#pragma once

// Properties of loops that several passes need: where a loop exits, which values leave the loop, which values pass from
// one iteration to the next, and how work-items move through memory in the loop. A LoopNest is a loop over the rows of
// a work-group with its inner loop:
//
//   for each row of the group                 ; rows
//     for k: sum += a[row][k] * b[k][0..15]   ; inner, a single block
//     c[row][0..15] = sum
//
// Tests: compiler/tests/loop_nest.cpp, tests/passes/5_loops/unroll_and_jam*.ll, tests/passes/5_loops/cache_tiling*.ll,
// tests/passes/3_group/barrier_synchronised_loops*.ll, tests/passes/3_group/tree_reductions*.ll

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace llvm {
class Loop;
class SCEV;
class SCEVAddRecExpr;
class SCEVExpander;
class ScalarEvolution;
} // namespace llvm

namespace hostcl::compiler {

class LinearForms;

bool has_instruction(const llvm::Loop& loop, llvm::function_ref<bool(const llvm::Instruction&)> is_wanted);
bool has_barrier(const llvm::Loop& loop);

/// Whether the loop has one latch, and the latch's end is the loop's only exit.
bool exits_at_latch(const llvm::Loop& loop);
/// Whether the loop's only exit is the end of its only latch, and leads to one block, which has no phis.
bool exits_without_phis(const llvm::Loop& loop);

/// Whether an instruction of the loop is used outside of the loop.
bool is_used_outside(const llvm::Instruction& instruction, const llvm::Loop& loop);
/// Whether any instruction of the loop is used outside of the loop.
bool is_used_outside(const llvm::Loop& loop);

/// The expression as an affine recurrence of the loop; null if it is none.
const llvm::SCEVAddRecExpr* as_recurrence(const llvm::SCEV* expression, const llvm::Loop& loop);
/// The number of the loop's last iteration, counted from 0, if it has at most 64 bits and can be computed at the end of
/// the block `at`; null otherwise.
const llvm::SCEV* last_iteration(const llvm::Loop& loop, const llvm::BasicBlock& at,
                                 llvm::SCEVExpander& expander);

/// A comparison of integers that holds on one edge of a branch.
struct Comparison {
  llvm::CmpInst::Predicate predicate;
  llvm::Value *left, *right;

  /// The comparison that is true if the branch at the end of `from` goes to `to`, and false if it goes elsewhere;
  /// nothing if there is none.
  static std::optional<Comparison> on_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  /// The same comparison with its operands exchanged.
  Comparison swapped() const { return {llvm::CmpInst::getSwappedPredicate(predicate), right, left}; }
  bool operator==(const Comparison&) const = default;
};

/// A loop whose header has exactly two predecessors: one block outside of the loop (`before`), and one latch. Each phi
/// of the header then has one start value and one value for the next iteration.
struct SingleLatchLoop {
  llvm::BasicBlock *header, *before, *latch;

  static std::optional<SingleLatchLoop> of(const llvm::Loop& loop);
  llvm::Value* start(const llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(before); }
  llvm::Value* next(const llvm::PHINode& phi) const { return phi.getIncomingValueForBlock(latch); }
  llvm::PHINode* make_phi(llvm::Type* type, llvm::Value* start) const;
};

/// A loop over work-items (metadata::items) whose only inner loop is a single block.
struct LoopNest {
  llvm::Loop &rows, &inner;
  llvm::BasicBlock *header, *entry, *body, *latch; ///< entry: preheader of `inner`; body: block of `inner`

  /// The nest of a loop over work-items; nothing if the loop is something else. `entry` and `latch` may be null.
  static std::optional<LoopNest> of(llvm::Loop& rows);

  /// Whether the only values that pass from row to row are induction variables with loop-invariant steps, and no value
  /// of the loop is used after it except the last values of these variables.
  bool only_counts() const;
  /// Whether the inner loop has the same trip count in all rows.
  bool has_uniform_trip_count(llvm::ScalarEvolution& evolution) const;
  /// The bytes that an iteration of the inner loop loads as vectors from addresses that do not depend on the row.
  unsigned shared_bytes() const;
};

bool is_gather(const llvm::Instruction& instruction);
/// The pointer operand of a vector load, masked load or gather; null for other instructions.
const llvm::Value* vector_source(const llvm::Instruction& instruction);

/// The largest stride in bytes between neighbouring work-items at which several of them share a cache line.
inline constexpr std::int64_t farthest_neighbour = 16;

/// Whether the value is uniform over the group for code in the block `at`, provided that the work-items that run the
/// block are in the same iteration of the loops around the block. If the forms ignore wrapping, `true` only means that
/// the value is probably uniform.
bool is_group_uniform(const llvm::Value& value, const llvm::BasicBlock& at, LinearForms& forms);

/// Whether neighbouring work-items share the cache lines that the loop reads and move on to other lines in each
/// iteration, and no load stays in a cache line of its own work-item for several iterations.
/// @param farthest the largest stride in bytes that counts as sharing
bool walks_side_by_side(const llvm::Loop& loop, LinearForms& forms,
                        std::int64_t farthest = farthest_neighbour);

} // namespace hostcl::compiler

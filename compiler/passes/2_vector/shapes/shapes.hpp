#pragma once

// The divergence analysis of the vectoriser: the shape of each value (shape.hpp), and where control flow diverges.
//
// A branch diverges if its condition is not uniform and the branch does not control a barrier (barrier_branches.hpp).
// Blocks that are always run by the same lanes (control equivalence) form a control class. control_class() of a block
// is the first block of its class; all blocks of a class have the same mask. A loop diverges unless all its lanes leave
// it in the same iteration and at the same exit. Shapes depend on which branches diverge, and branches diverge
// depending on shapes, so both are computed by sweeps over the blocks until nothing changes. A shape only ever changes
// from uniform or affine to a guess, and from a guess to varying without a stride, so the sweeps end.
//
// LLVM's UniformityInfo would give uniformity only, not strides, and would need a target of its own.
//
// Affine shapes of clamped indices (clamped_indices): a kernel that reads neighbours at indices clamped by min and max
// is 1.7 times as fast on an Emerald Rapids Xeon and 2.7 times on Zen 4; with clamp(), 1.7 times on Zen 4.
//
// Guessed strides of varying values (likely_strides):
//
//   %c = call i32 @llvm.smin.i32(i32 %y, i32 %x)  ; stride of %x if %y is uniform: only lanes at the border differ
//   %l = and i32 %x, %uniform                     ; stride of %x: wraps seldom
//   %y = udiv i32 %x, %uniform                    ; likely uniform
//   %b = icmp sgt i32 %x, 0                       ; likely uniform
//   %f = fmul float %id_as_float, %scale          ; linear in an integer whose likely stride is not 0
//   %n = fptosi float %f to i32                   ; likely stride 1, whatever %scale is
//
// Values that were loaded have no likely stride. An access that relies on a guess is guarded by a test at run time
// (memory/access.hpp). Gains on an Emerald Rapids Xeon: a kernel that searches for the first match is 2.3 times as
// fast, a kernel that reads neighbours at indices such as `(i + 1) & mask` 1.5 times, and a kernel that fills a private
// array with such neighbours 1.6 times.
//
// Tests: compiler/tests/shapes.cpp, tests/passes/2_vector/memory/vectorise_likely.ll.

#include "compiler/passes/2_vector/shapes/forward_graph.hpp"
#include "compiler/passes/2_vector/shapes/shape.hpp"
#include "compiler/values/ranges.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"

namespace llvm {
class CallBase;
class BinaryOperator;
class DataLayout;
class PHINode;
class Instruction;
class MinMaxIntrinsic;
} // namespace llvm

namespace hostcl::compiler {

struct LinearPart;
struct LinearSum;
struct Switches;

class Shapes {
public:
  Shapes(llvm::Function& function, const ForwardGraph& graph, const llvm::LoopInfo& loops,
         const Ranges& ranges, const Switches& switches);

  /// The shape of an instruction, argument or constant.
  Shape of(const llvm::Value* value) const;

  /// An upper bound of an integer read as unsigned. It also holds in lanes that are not active.
  std::uint64_t upper_bound(const llvm::Value& value) const { return ranges_.upper_bound(value); }

  /// Whether all active lanes take the same successor of the block.
  bool branches_uniformly(unsigned block) const { return !divergent_[block]; }
  unsigned control_class(unsigned block) const { return control_class_[block]; }
  /// Whether all lanes of the block come from the same predecessor; true for headers of loops.
  bool joins_uniformly(unsigned block) const { return uniform_join_[block]; }
  bool diverges(const llvm::Loop* loop) const { return divergent_loops_.contains(loop); }

  /// For each block, whether the CPU's branch predictor can predict that its mask is empty: all conditions on the way
  /// to the block are computed from ids and arguments, not from memory. Work-items beyond a border come in long runs,
  /// so a jump over such a block is nearly free. A jump that depends on data may be mispredicted every other time.
  /// Test: tests/passes/2_vector/control/vectorise_skipped_accesses.ll
  std::vector<bool> predictable_masks() const;

private:
  bool sweep();
  void find_control_class(unsigned block);
  bool update_branch(unsigned block);
  bool update_loops();
  Shape compute(const llvm::Instruction& instruction) const;
  Shape compute_phi(const llvm::PHINode& phi) const;
  Shape compute_call(const llvm::CallBase& call) const;
  Shape compute_clamp(const llvm::MinMaxIntrinsic& clamp) const;
  Shape compute_sum(const llvm::Instruction& instruction, const LinearSum& sum) const;
  Confidence confidence_of_extension(const LinearPart& part, Shape shape) const;
  Shape compute_operation(const llvm::Instruction& operation) const;
  Shape compute_bits(const llvm::BinaryOperator& operation) const;
  bool all_uniform(const llvm::Instruction& instruction) const;
  bool stays_in_loops(const llvm::Value* value, const llvm::BasicBlock* from,
                      const llvm::BasicBlock* to) const;

  const ForwardGraph& graph_;
  const llvm::LoopInfo& loops_;
  const Ranges& ranges_;
  const llvm::DataLayout& layout_;
  const bool tests_clamps_; ///< whether clamped indices may get a checked shape
  const bool guesses_;      ///< whether varying values may get a guessed stride
  llvm::DenseMap<const llvm::Value*, Shape> shapes_;
  std::vector<unsigned> control_class_;
  std::vector<bool> divergent_, forced_uniform_, uniform_join_;
  llvm::DenseSet<const llvm::Loop*> divergent_loops_;
};

} // namespace hostcl::compiler

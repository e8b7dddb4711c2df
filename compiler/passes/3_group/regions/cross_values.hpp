#pragma once

// Decides how values that are live across regions reach a later region: in a register, by recomputation, or through
// memory.
//
// Recomputing cheap values (recomputed_values) makes products of matrices over tiles 1.6 to 3.2 times as fast, and tree
// reductions in local memory 1.3 times. Most of the 41 users gain little: the median is 1.03 (an Emerald Rapids Xeon).

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SparseBitVector.h"

#include <cstdint>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
} // namespace llvm

namespace hostcl::compiler {

class GroupUniformity;
struct RegionGraph;
struct Switches;

enum class Keep {
  shared,     ///< uniform over the group: one variable, which ends up in a register
  recomputed, ///< a cheap expression of ids, arguments and shared values, computed again in each region
  slot,       ///< an array in the context, with one element for each chunk
};

/// The decisions for one kernel. Constant once constructed.
class CrossValues {
public:
  /// @param uniformity may be null if there is only one region
  CrossValues(const RegionGraph& graph, const GroupUniformity* uniformity, const Switches& switches);

  Keep keep(const llvm::Instruction& value) const;

  /// The values that are live at the head of `region`: values of other regions, and phis of the head itself.
  const std::vector<llvm::Instruction*>& live_at(unsigned region) const { return live_[region]; }

  /// The slot of a value with Keep::slot that is live at some head: an index into slot_bytes(). Values that are never
  /// live at the same head may share a slot.
  unsigned slot(const llvm::Instruction& value) const { return slots_.lookup(&value); }
  const std::vector<std::uint64_t>& slot_bytes() const { return slot_bytes_; }

private:
  void rate_recomputation(const llvm::SetVector<llvm::BasicBlock*>& blocks, bool may_recompute);
  void find_live(llvm::ArrayRef<llvm::BasicBlock*> blocks);
  void find_live_of(llvm::Instruction& value, std::uint32_t stamp);
  void keep_operands_of_recomputed();
  void assign_slots();
  unsigned choose_slot(llvm::Instruction& value, const std::vector<unsigned>& heads,
                       std::vector<llvm::SparseBitVector<>>& taken);

  const RegionGraph& graph_;
  const GroupUniformity* uniformity_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> cost_; ///< of recomputation, in instructions
  llvm::DenseMap<const llvm::Instruction*, bool> shared_;   ///< whether the value has Keep::shared
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t>
      visited_; ///< stamp of the last value found live there
  std::vector<std::vector<llvm::Instruction*>> live_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> slots_;
  std::vector<std::uint64_t> slot_bytes_;
};

} // namespace hostcl::compiler

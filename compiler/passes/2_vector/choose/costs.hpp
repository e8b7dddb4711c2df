#pragma once

// Costs for the decisions of the vectoriser, in simple operations (operations_of); only interleaving counts cycles
// (interleave_count.cpp). BlockFrequencies tells how often a block runs. The constants at the end are thresholds that
// such costs are compared with.

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class BlockFrequencies {
public:
  BlockFrequencies(const llvm::Function& function, const llvm::LoopInfo& loops)
      : probabilities_(function, loops), frequencies_(function, probabilities_, loops) {}

  /// How often the block runs for each run of the function, estimated by LLVM's block frequencies.
  double of(const llvm::BasicBlock& block) const;

private:
  llvm::BranchProbabilityInfo probabilities_;
  llvm::BlockFrequencyInfo frequencies_;
};

/// The bytes that one work-item's load or store accesses.
std::int64_t bytes_of(const llvm::Instruction& access);

/// The cost of an instruction whose result is divergent, roughly in simple operations.
struct Operations {
  unsigned for_lanes; ///< for all lanes of a vector together, including the mask if one is needed
  unsigned for_one;   ///< for a single work-item; address arithmetic and conversions count as free
};
Operations operations_of(const llvm::Instruction& instruction);

/// A block that costs more operations than this is skipped by a branch if no lane is active.
constexpr unsigned operations_per_jump = 12;

/// A block that branch weights expect for less than one in so many work-items is skipped as well, whatever it costs.
constexpr unsigned rare_block = 16;

/// How many other operations a work-item needs for each scattered or gathered element, so that vectors pay in spite of
/// slow scatters and gathers (Capabilities::slow_scattered_access). Narrow elements, of 8 or 16 bits, are gathered as
/// words.
constexpr unsigned operations_per_scatter = 12, operations_per_gather = 4, operations_per_narrow_gather = 6;
/// How many other operations a work-item needs for each element of a record, or of a row that belongs to one work-item,
/// so that vectors pay on any CPU.
constexpr unsigned operations_per_part = 4;
/// A kernel that does at most this many other operations for each scattered atomic counts as one that does little but
/// atomics.
constexpr unsigned operations_per_atomic = 24;

} // namespace hostcl::compiler

#pragma once

// What the decisions of the vectoriser weigh: how long an instruction takes, in cycles by LLVM's cost model of the
// target or in simple operations where no target is known, how often a block runs by LLVM's block frequencies, and
// what the one has to outweigh.

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

/// Cycles of an instruction on a wide vector unit, two of which work at the same time; `work` in additions.
struct Cycles {
  unsigned latency, work;
};

class InstructionCosts {
public:
  /// @param integer_latency as Capabilities has it
  InstructionCosts(const llvm::TargetTransformInfo& target, unsigned lanes, unsigned integer_latency)
      : target_(target), lanes_(lanes), integer_latency_(integer_latency) {}

  Cycles of(const llvm::Instruction& instruction) const;

private:
  const llvm::TargetTransformInfo& target_;
  unsigned lanes_, integer_latency_;
};

class BlockFrequencies {
public:
  BlockFrequencies(const llvm::Function& function, const llvm::LoopInfo& loops)
      : probabilities_(function, loops), frequencies_(function, probabilities_, loops) {}

  /// Runs of the block for each run of the function.
  double of(const llvm::BasicBlock& block) const;

private:
  llvm::BranchProbabilityInfo probabilities_;
  llvm::BlockFrequencyInfo frequencies_;
};

/// Elements of a value that is a short vector, or 1.
unsigned elements_of(const llvm::Value& value);

/// The time that an instruction takes, roughly in simple operations, if its result differs between lanes.
struct Operations {
  unsigned for_lanes; ///< for all lanes of a vector together, with a mask where it needs one
  unsigned for_one;   ///< for one work-item at a time, whose addresses and conversions cost nothing
};
Operations operations_of(const llvm::Instruction& instruction);

/// A block with more operations for all lanes than a jump costs runs only if a lane is active.
constexpr unsigned operations_per_jump = 12;

/// Operations of a work-item that make up for one of its elements that lies apart from those of its neighbours,
/// where vectors reach such elements slowly. Narrow ones, bytes or 16-bit numbers, are gathered as words.
constexpr unsigned operations_per_scatter = 12, operations_per_gather = 4, operations_per_narrow_gather = 6;
/// The same for a part of a record, or a number of its own row, on any host.
constexpr unsigned operations_per_part = 4;
/// The same for an atomic that is done lane by lane.
constexpr unsigned operations_per_atomic = 24;

} // namespace hostcl::compiler

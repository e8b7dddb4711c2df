#pragma once

// What the decisions of this folder count: cycles by LLVM's cost model of the target, how often a block runs
// by LLVM's block frequencies, and the work around atomics.

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

/// Other instructions that cost as much as the lane by lane form of one atomic.
constexpr unsigned work_beside_atomic = 24;

} // namespace hostcl::compiler

#pragma once

// Estimates how often blocks run for each iteration of their loop, or for each work-item outside of loops, in a typical
// launch: most work-items pass guards, and loops run at least once. At other divergent branches, each successor counts
// half.
//
//   if (i < n) { a[i] = 0; }          the store runs once
//   for (...) if (a[k] > 0) ++m;      the sum runs half of the times, and is conditional
//
// Test: compiler/tests/kernel_statistics.cpp

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

/// How often a block runs, and whether that is a guess because the block is conditional.
struct RunCount {
  double often = 0;
  bool is_conditional = false;
};

class RunCounts {
public:
  RunCounts(const llvm::Function& kernel, const llvm::LoopInfo& loops);
  RunCount of(const llvm::BasicBlock& block) const { return counts_.lookup(&block); }

private:
  void spread(const llvm::BasicBlock& block, const llvm::LoopInfo& loops);
  llvm::DenseMap<const llvm::BasicBlock*, RunCount> counts_;
};

} // namespace hostcl::compiler

#pragma once

// How often blocks run for each iteration of their loop, or for each work-item outside of loops, where a launch is as most
// are: guards let work-items pass, and loops run. Where work-items part otherwise, the ways count half.
//
//   if (i < n) { a[i] = 0; }          the store runs once
//   for (...) if (a[k] > 0) ++m;      the sum runs half of the times, and is conditional
//
// Test: compiler/tests/kernel_insight.cpp

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

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

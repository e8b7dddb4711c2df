#include "compiler/values/run_counts.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// Whether the kernel returns from this block without doing anything else.
bool is_end(const BasicBlock& block) {
  const BasicBlock* at = &block;
  for (unsigned steps = 0; at && steps < 4; ++steps) {
    const Instruction* first = &*at->getFirstNonPHIOrDbg();
    if (isa<ReturnInst>(first)) return true;
    if (first != at->getTerminator()) return false;
    at = at->getSingleSuccessor();
  }
  return false;
}

/// Whether the block is a loop's header, or leads to one directly.
bool enters_loop(const BasicBlock& block, const LoopInfo& loops) {
  if (loops.isLoopHeader(&block)) return true;
  const BasicBlock* next = block.getSingleSuccessor();
  return next && loops.isLoopHeader(next) && loops.getLoopFor(next) != loops.getLoopFor(&block);
}

/// The successors inside of the same loop that are likely: those that do not return, or the one that enters a loop; all
/// of them if there is no such difference.
SmallPtrSet<const BasicBlock*, 4> likely(const BasicBlock& block, const LoopInfo& loops) {
  const Loop* loop = loops.getLoopFor(&block);
  SmallPtrSet<const BasicBlock*, 4> within, worked, entering;
  for (const BasicBlock* next : successors(&block)) {
    if (loop && (!loop->contains(next) || next == loop->getHeader())) continue;
    within.insert(next);
    if (!is_end(*next)) worked.insert(next);
    if (enters_loop(*next, loops)) entering.insert(next);
  }
  if (worked.empty() || worked.size() == within.size())
    return entering.size() == 1 && within.size() == 2 ? entering : within;
  return worked;
}

} // namespace

RunCounts::RunCounts(const Function& kernel, const LoopInfo& loops) {
  counts_[&kernel.getEntryBlock()] = {1, false};
  for (const BasicBlock* block : ReversePostOrderTraversal<const Function*>(&kernel))
    spread(*block, loops);
}

/// Distributes the block's count among its likely successors. A loop's header starts again with 1, and the loop's exits
/// get the count that the header had from outside.
void RunCounts::spread(const BasicBlock& block, const LoopInfo& loops) {
  const Loop* loop = loops.getLoopFor(&block);
  if (loop && loop->getHeader() == &block) {
    RunCount& own = counts_[&block];
    SmallVector<BasicBlock*, 4> exits;
    loop->getUniqueExitBlocks(exits);
    for (const BasicBlock* exit : exits) {
      RunCount& count = counts_[exit];
      count.often += own.often / static_cast<double>(exits.size());
      count.is_conditional |= own.is_conditional || exits.size() > 1;
    }
    own.often = 1;
  }
  const RunCount own = counts_.lookup(&block);
  const auto taken = likely(block, loops);
  for (const BasicBlock* next : taken) {
    RunCount& count = counts_[next];
    count.often = std::min(1.0, count.often + own.often / static_cast<double>(taken.size()));
    count.is_conditional = count.often < 0.999 && (own.is_conditional || taken.size() > 1);
  }
}

} // namespace hostcl::compiler

#include "compiler/passes/2_vector/shapes/barrier_branches.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/2_vector/shapes/forward_graph.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

class BarrierBranches {
public:
  BarrierBranches(const ForwardGraph& graph, const LoopInfo& loops)
      : graph_(graph), loops_(loops), barriers_(graph.size(), false) {
    for (unsigned b = 0; b < graph.size(); ++b)
      barriers_[b] = has_barrier(*graph.block(b));
  }

  bool has_barriers() const { return llvm::find(barriers_, true) != barriers_.end(); }

  bool contains(unsigned block) const {
    if (!isa<BranchInst>(graph_.block(block)->getTerminator()) || succ_size(graph_.block(block)) < 2)
      return false;
    const Loop* loop = loops_.getLoopFor(graph_.block(block));
    return (loop && loop->isLoopExiting(graph_.block(block)) && staying_meets(*loop, block)) ||
           only_one_way_meets(block);
  }

private:
  bool staying_meets(const Loop& loop, unsigned block) const;
  bool only_one_way_meets(unsigned block) const;
  bool all_ways_lead_to(unsigned to, unsigned block) const;

  const ForwardGraph& graph_;
  const LoopInfo& loops_;
  std::vector<bool> barriers_; ///< blocks with a barrier
};

/// True if every path from `block` that stays in the loop reaches a barrier before an exiting block.
bool BarrierBranches::staying_meets(const Loop& loop, unsigned block) const {
  return !leads_to(
      *graph_.block(block), [&](const BasicBlock& at) { return loop.isLoopExiting(&at); },
      [&](const BasicBlock& at) { return loop.contains(&at) && !barriers_[graph_.index(&at)]; });
}

/// Whether one successor of `block` always reaches a barrier to which the other successor does not lead in this
/// iteration. False if the branch may go directly to the return and its paths join only there: kernels often write `if
/// (get_global_id(0) >= n) return;` before a barrier, although OpenCL C does not allow this, so the vectoriser must not
/// take the condition of such a branch to be uniform.
bool BarrierBranches::only_one_way_meets(unsigned block) const {
  const unsigned last = graph_.size() - 1, join = graph_.ipdom(block);
  for (const BasicBlock* next : successors(graph_.block(block)))
    if (graph_.index(next) == last && join == last) return false;
  for (const BasicBlock* next : successors(graph_.block(block)))
    for (unsigned to = graph_.index(next); to > block && to != join; to = graph_.ipdom(to))
      if (barriers_[to] && !all_ways_lead_to(to, block)) return true;
  return false;
}

/// Whether each successor of `block` may lead to the later block `to` without taking a back edge.
bool BarrierBranches::all_ways_lead_to(unsigned to, unsigned block) const {
  return llvm::all_of(successors(graph_.block(block)), [&](const BasicBlock* first) {
    return graph_.index(first) == to ||
           leads_to(
               *first, [&](const BasicBlock& at) { return graph_.index(&at) == to; },
               [&](const BasicBlock& at) {
                 return graph_.index(&at) > graph_.index(first) && graph_.index(&at) <= to;
               });
  });
}

} // namespace

bool has_barrier(const BasicBlock& block) {
  return any_of(block, [](const Instruction& instruction) {
    return is_call_of(instruction, hostcl::compiler::Intrinsic::barrier);
  });
}

bool leads_to(const BasicBlock& from, function_ref<bool(const BasicBlock&)> is_goal,
              function_ref<bool(const BasicBlock&)> may_pass) {
  SmallVector<const BasicBlock*, 16> open{&from};
  SmallPtrSet<const BasicBlock*, 16> seen;
  while (!open.empty())
    for (const BasicBlock* next : successors(open.pop_back_val())) {
      if (!may_pass(*next) || !seen.insert(next).second) continue;
      if (is_goal(*next)) return true;
      open.push_back(next);
    }
  return false;
}

std::vector<bool> branches_about_barriers(const ForwardGraph& graph, const LoopInfo& loops) {
  std::vector<bool> found(graph.size(), false);
  const BarrierBranches branches(graph, loops);
  if (!branches.has_barriers()) return found;
  for (unsigned b = 0; b < graph.size(); ++b)
    found[b] = branches.contains(b);
  return found;
}

} // namespace hostcl::compiler

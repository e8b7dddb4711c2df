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

/// True if every path from `block` that stays in the loop reaches a barrier before an exiting block.
bool staying_meets(const ForwardGraph& graph, const std::vector<bool>& barriers, const Loop& loop,
                   unsigned block) {
  return !leads_to(
      *graph.block(block), [&](const BasicBlock& at) { return loop.isLoopExiting(&at); },
      [&](const BasicBlock& at) { return loop.contains(&at) && !barriers[graph.index(&at)]; });
}

/// Whether each successor of `block` may lead to the later block `to` without taking a back edge.
bool all_ways_lead_to(const ForwardGraph& graph, unsigned to, unsigned block) {
  return llvm::all_of(successors(graph.block(block)), [&](const BasicBlock* first) {
    return graph.index(first) == to ||
           leads_to(
               *first, [&](const BasicBlock& at) { return graph.index(&at) == to; },
               [&](const BasicBlock& at) {
                 return graph.index(&at) > graph.index(first) && graph.index(&at) <= to;
               });
  });
}

/// Whether one successor of `block` always reaches a barrier to which the other successor does not lead in this
/// iteration. False if the branch may go directly to the return and its paths join only there: kernels often write `if
/// (get_global_id(0) >= n) return;` before a barrier, although OpenCL C does not allow this, so the vectoriser must not
/// take the condition of such a branch to be uniform.
bool only_one_way_meets(const ForwardGraph& graph, const std::vector<bool>& barriers, unsigned block) {
  const unsigned last = graph.size() - 1, join = graph.ipdom(block);
  for (const BasicBlock* next : successors(graph.block(block)))
    if (graph.index(next) == last && join == last) return false;
  for (const BasicBlock* next : successors(graph.block(block)))
    for (unsigned to = graph.index(next); to > block && to != join; to = graph.ipdom(to))
      if (barriers[to] && !all_ways_lead_to(graph, to, block)) return true;
  return false;
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
  std::vector<bool> barriers(graph.size()), found(graph.size());
  for (unsigned b = 0; b < graph.size(); ++b)
    barriers[b] = has_barrier(*graph.block(b));
  if (!is_contained(barriers, true)) return found;
  for (unsigned b = 0; b < graph.size(); ++b) {
    const auto* branch = dyn_cast<BranchInst>(graph.block(b)->getTerminator());
    if (!branch || !branch->isConditional()) continue;
    const Loop* loop = loops.getLoopFor(graph.block(b));
    found[b] = (loop && loop->isLoopExiting(graph.block(b)) && staying_meets(graph, barriers, *loop, b)) ||
               only_one_way_meets(graph, barriers, b);
  }
  return found;
}

} // namespace hostcl::compiler

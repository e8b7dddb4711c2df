#include "compiler/passes/2_vector/shapes/barrier_branches.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/2_vector/shapes/forward_graph.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

#include <utility>

namespace hostcl::compiler {

using namespace llvm;

namespace {

bool is_barrier(const Instruction& instruction) {
  return is_call_of(instruction, hostcl::compiler::Intrinsic::barrier);
}

/// True if every path from `block` that stays in the loop reaches a barrier before an exiting block.
bool staying_meets(const ForwardGraph& graph, const std::vector<bool>& barriers, const Loop& loop,
                   unsigned block) {
  return !leads_to(
      *graph.block(block), [&](const BasicBlock& at) { return loop.isLoopExiting(&at); },
      [&](const BasicBlock& at) { return loop.contains(&at) && !barriers[graph.index(&at)]; });
}

/// Whether a block leads to the return without doing anything but counting executions.
bool only_returns(const ForwardGraph& graph, const BasicBlock* block) {
  while (graph.index(block) != graph.size() - 1) {
    const BasicBlock* next = block->getSingleSuccessor();
    if (!next || graph.index(next) < graph.index(block)) return false;
    for (const Instruction& instruction : drop_end(*block))
      if (!counts_executions(instruction)) return false;
    block = next;
  }
  return true;
}

/// Whether one successor of `block` always reaches a barrier before the paths join. False if the branch may go directly
/// to the return and its paths join only there. Kernels often write `if (get_global_id(0) >= n) return;` before a
/// barrier. OpenCL C does not allow this early return, but the vectoriser must not take the branch's condition to be
/// uniform.
bool one_way_meets(const ForwardGraph& graph, const std::vector<bool>& barriers, unsigned block) {
  const unsigned last = graph.size() - 1, join = graph.ipdom(block);
  for (const BasicBlock* next : successors(graph.block(block)))
    if (join == last && only_returns(graph, next)) return false;
  for (const BasicBlock* next : successors(graph.block(block)))
    for (unsigned to = graph.index(next); to > block && to != join; to = graph.ipdom(to))
      if (barriers[to]) return true;
  return false;
}

/// Whether two successors of `block` may lead to the same first barrier, in the same or in different iterations of
/// loops.
bool ways_share_first_barrier(const ForwardGraph& graph, const std::vector<bool>& barriers, unsigned block) {
  SmallPtrSet<const BasicBlock*, 8> first;
  for (const BasicBlock* next : successors(graph.block(block))) {
    SmallPtrSet<const BasicBlock*, 8> of_next;
    const auto note = [&](const BasicBlock& at) {
      if (barriers[graph.index(&at)]) of_next.insert(&at);
      return !barriers[graph.index(&at)];
    };
    if (note(*next)) leads_to(*next, [](const BasicBlock&) { return false; }, note);
    for (const BasicBlock* met : of_next)
      if (!first.insert(met).second) return true;
  }
  return false;
}

/// What is known of a path to a block: whether the paths from the branch have joined, and whether an iteration has
/// begun again. Sets of these values are bit masks; 0 is the state at the branch's successor.
enum Way : unsigned { before_join, after_join, again_before_join, again_after_join };
constexpr unsigned any_before = 1 << before_join | 1 << again_before_join;
constexpr unsigned any_again = 1 << again_before_join | 1 << again_after_join;

/// For each block of the outermost loop, the set of states (Way) in which a path from `next`, a successor of `block`,
/// may reach the block without passing another barrier. "Again": an iteration of `loop`, or of a loop around it, has
/// begun on the path. Paths do not leave the outermost loop.
std::vector<unsigned> ways_from(const ForwardGraph& graph, const std::vector<bool>& barriers,
                                const Loop& loop, unsigned block, const BasicBlock* next) {
  const Loop* outermost = loop.getOutermostLoop();
  const unsigned join = graph.ipdom(block), header = graph.index(loop.getHeader());
  std::vector<unsigned> ways(graph.size());
  SmallVector<std::pair<unsigned, unsigned>, 16> open;
  const auto visit = [&](const BasicBlock* at, unsigned way) {
    const unsigned b = graph.index(at);
    if (!outermost->contains(at)) return;
    way |= (b == join ? after_join : before_join) | (b <= header ? again_before_join : before_join);
    if (ways[b] & 1 << way) return;
    ways[b] |= 1 << way;
    if (!barriers[b]) open.emplace_back(b, way);
  };
  visit(next, before_join);
  while (!open.empty()) {
    const auto [b, way] = open.pop_back_val();
    for (const BasicBlock* to : successors(graph.block(b)))
      visit(to, way);
  }
  return ways;
}

/// A barrier that work-items which diverge at `block` may reach in different iterations, or null. In vector code,
/// diverged lanes wait where their paths join, so they would not reach such a barrier together.
const BasicBlock* diverges_before(const ForwardGraph& graph, const LoopInfo& loops,
                                  const std::vector<bool>& barriers, unsigned block) {
  const Loop* inner = nullptr;
  for (const Loop* loop = loops.getLoopFor(graph.block(block)); loop;
       inner = loop, loop = loop->getParentLoop()) {
    SmallVector<BasicBlock*, 8> met;
    for (BasicBlock* at : loop->blocks())
      if (barriers[graph.index(at)] && !(inner && inner->contains(at))) met.push_back(at);
    if (met.empty()) continue;
    std::vector<std::vector<unsigned>> ways;
    for (const BasicBlock* next : successors(graph.block(block)))
      ways.push_back(ways_from(graph, barriers, *loop, block, next));
    for (const BasicBlock* at : met)
      for (const auto& left : ways)
        for (const auto& right : ways) {
          const unsigned a = left[graph.index(at)], b = right[graph.index(at)];
          if (&left != &right && ((a & any_again && b & any_before) || (a & any_again & any_before && b)))
            return at;
        }
  }
  return nullptr;
}

std::vector<bool> find_barriers(const ForwardGraph& graph) {
  std::vector<bool> barriers(graph.size());
  for (unsigned b = 0; b < graph.size(); ++b)
    barriers[b] = has_barrier(*graph.block(b));
  return barriers;
}

} // namespace

bool has_barrier(const BasicBlock& block) {
  return any_of(block, is_barrier);
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
  const std::vector<bool> barriers = find_barriers(graph);
  std::vector<bool> found(graph.size());
  if (!is_contained(barriers, true)) return found;
  for (unsigned b = 0; b < graph.size(); ++b) {
    const auto* branch = dyn_cast<BranchInst>(graph.block(b)->getTerminator());
    if (!branch || !branch->isConditional()) continue;
    const Loop* loop = loops.getLoopFor(graph.block(b));
    const bool meets =
        (loop && loop->isLoopExiting(graph.block(b)) && staying_meets(graph, barriers, *loop, b)) ||
        one_way_meets(graph, barriers, b);
    found[b] = meets && !ways_share_first_barrier(graph, barriers, b);
  }
  return found;
}

const Instruction* find_parted_barrier(const ForwardGraph& graph, const LoopInfo& loops,
                                       function_ref<bool(unsigned)> diverges) {
  const std::vector<bool> barriers = find_barriers(graph);
  if (!is_contained(barriers, true)) return nullptr;
  for (unsigned b = 0; b < graph.size(); ++b)
    if (const BasicBlock* at = diverges(b) ? diverges_before(graph, loops, barriers, b) : nullptr)
      return &*find_if(*at, is_barrier);
  return nullptr;
}

} // namespace hostcl::compiler

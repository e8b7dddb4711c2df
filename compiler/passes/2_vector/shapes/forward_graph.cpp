#include "compiler/passes/2_vector/shapes/forward_graph.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr unsigned none = ~0u;

/// Numbers the nodes of a tree in preorder, children in the order of their distance from the root. `end` of a node is
/// one past its last descendant. The root is the first or the last node, and each parent lies between its children and
/// the root.
void number_tree(const std::vector<unsigned>& parent, unsigned root, std::vector<unsigned>& begin,
                 std::vector<unsigned>& end) {
  const auto size = static_cast<unsigned>(parent.size());
  const auto nth = [root](unsigned i) { return root == 0 ? i : root - i; }; // parents first
  std::vector<unsigned> nodes(size, 1), next(size, 1); // of each subtree: its size, its next free number
  for (unsigned i = size; --i > 0;)
    nodes[parent[nth(i)]] += nodes[nth(i)];
  begin.assign(size, 0);
  end.assign(size, size);
  for (unsigned i = 1; i < size; ++i) {
    const unsigned node = nth(i);
    unsigned& free = next[parent[node]];
    begin[node] = free;
    next[node] = free + 1;
    end[node] = free += nodes[node];
  }
}

} // namespace

ForwardGraph::ForwardGraph(Function& function, const LoopInfo& loops) {
  collect_edges(function, loops);
  order_by_dominance();
  if (order_.size() != function.size() || !topological()) return;
  find_postdominators();
  valid_ = loops_are_together(loops);
}

/// Fills order_ (as the function lists its blocks), index_ and successors_.
void ForwardGraph::collect_edges(Function& function, const LoopInfo& loops) {
  for (BasicBlock& block : function) {
    if (succ_empty(&block)) last_ = size();
    index_[&block] = size();
    order_.push_back(&block);
  }
  successors_.resize(size());
  for (unsigned from = 0; from < size(); ++from) {
    for (BasicBlock* to : llvm::successors(order_[from])) {
      const Loop* loop = loops.getLoopFor(to);
      if (!loop || loop->getHeader() != to || !loop->contains(order_[from])) {
        successors_[from].push_back(index_[to]);
        continue;
      }
      SmallVector<BasicBlock*, 4> exits;
      loop->getUniqueExitBlocks(exits);
      for (BasicBlock* exit : exits)
        successors_[from].push_back(index_[exit]);
      if (exits.empty())
        successors_[from].push_back(last_); // an endless loop is treated as if it exited to the return
    }
  }
}

/// Computes the order: first a reverse postorder, then dominators in one pass over it (the graph is acyclic), then the
/// preorder of the dominator tree with siblings in reverse postorder. The result is topological, because an edge
/// between the subtrees of two siblings always ends at a sibling itself.
void ForwardGraph::order_by_dominance() {
  std::vector<unsigned> postorder, rank(size(), none);
  std::vector<bool> seen(size(), false);
  SmallVector<std::pair<unsigned, unsigned>, 32> path{{0, 0}};
  seen[0] = true;
  while (!path.empty()) {
    auto& [node, edge] = path.back();
    if (edge == successors_[node].size()) {
      postorder.push_back(node);
      path.pop_back();
      continue;
    }
    unsigned next = successors_[node][edge++];
    if (seen[next]) continue;
    seen[next] = true;
    path.emplace_back(next, 0);
  }
  const auto count = static_cast<unsigned>(postorder.size());
  for (unsigned i = 0; i < count; ++i)
    rank[postorder[i]] = count - 1 - i;

  std::vector<unsigned> idom(count, none); // in ranks
  if (count != 0) idom[0] = 0;
  for (unsigned r = 0; r < count; ++r) {
    for (unsigned next : successors_[postorder[count - 1 - r]]) {
      unsigned to = rank[next], other = r;
      if (to == 0) continue;
      if (unsigned& dom = idom[to]; dom == none) {
        dom = r;
      } else {
        while (dom != other)
          (dom > other ? dom : other) = idom[dom > other ? dom : other];
      }
    }
  }
  std::vector<unsigned> begin, end;
  number_tree(idom, 0, begin, end);

  std::vector<BasicBlock*> order(count);
  Edges edges(count);
  idom_.resize(count);
  subtree_end_.resize(count);
  for (unsigned r = 0; r < count; ++r) {
    unsigned old = postorder[count - 1 - r], now = begin[r];
    order[now] = order_[old];
    idom_[now] = begin[idom[r]];
    subtree_end_[now] = end[r];
    for (unsigned to : successors_[old])
      edges[now].push_back(begin[rank[to]]);
  }
  order_ = std::move(order);
  successors_ = std::move(edges);
  index_.clear();
  for (unsigned i = 0; i < count; ++i)
    index_[order_[i]] = i;
}

void ForwardGraph::find_postdominators() {
  const unsigned root = size() - 1;
  ipdom_.assign(size(), root);
  for (unsigned i = root; i-- > 0;) {
    unsigned a = successors_[i][0];
    for (unsigned b : successors_[i])
      while (a != b)
        (a < b ? a : b) = ipdom_[a < b ? a : b];
    ipdom_[i] = a;
  }
  number_tree(ipdom_, root, post_begin_, post_end_);
}

unsigned ForwardGraph::outer_dominator(unsigned block, const LoopInfo& loops) const {
  unsigned dominator = idom_[block];
  for (;;) {
    const Loop* loop = loops.getLoopFor(order_[dominator]);
    if (!loop || loop->contains(order_[block])) return dominator;
    dominator = idom_[dominator];
  }
}

/// True if every edge leads forward, and only the last block has none.
bool ForwardGraph::topological() const {
  for (unsigned from = 0; from < size(); ++from) {
    if (successors_[from].empty() != (from + 1 == size())) return false;
    for (unsigned to : successors_[from])
      if (to <= from) return false;
  }
  return true;
}

bool ForwardGraph::loops_are_together(const LoopInfo& loops) const {
  for (const Loop* loop : loops.getLoopsInPreorder()) {
    unsigned first = index(loop->getHeader());
    for (const BasicBlock* block : loop->blocks())
      if (index(block) < first || index(block) >= first + loop->getNumBlocks()) return false;
  }
  return true;
}

} // namespace hostcl::compiler

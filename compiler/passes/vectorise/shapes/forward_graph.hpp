#pragma once

// A function's blocks as an acyclic graph: every back edge is replaced by edges from the latch to the loop's
// exits, so "later in this iteration" and "after the loop" are the same relation. Its linear order is
// topological, keeps each loop together, and keeps all blocks that a block dominates directly after it;
// partial linearisation (control.cpp) relies on all three. Tests: compiler/tests/forward_graph.cpp

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class LoopInfo;
} // namespace llvm

namespace hostcl::compiler {

class ForwardGraph {
public:
  /// The function is reducible, has one return, and no block that cannot be reached.
  ForwardGraph(llvm::Function& function, const llvm::LoopInfo& loops);

  /// Whether the order has the promised properties (it has for every reducible function with a return).
  bool valid() const { return valid_; }

  unsigned size() const { return static_cast<unsigned>(order_.size()); }
  llvm::BasicBlock* block(unsigned index) const { return order_[index]; }
  unsigned index(const llvm::BasicBlock* block) const { return index_.lookup(block); }

  unsigned idom(unsigned block) const { return idom_[block]; }
  bool dominates(unsigned a, unsigned b) const { return a <= b && b < subtree_end_[a]; }

  /// The immediate post-dominator: the nearest block that every path from `block` to the return passes,
  /// without back edges.
  unsigned ipdom(unsigned block) const { return ipdom_[block]; }
  bool postdominates(unsigned a, unsigned b) const {
    return post_begin_[a] <= post_begin_[b] && post_begin_[b] < post_end_[a];
  }

  /// Nearest dominator of `block` that lies in no loop that `block` is outside of.
  unsigned anchor(unsigned block, const llvm::LoopInfo& loops) const;

private:
  using Edges = std::vector<llvm::SmallVector<unsigned, 2>>;
  void collect_edges(llvm::Function& function, const llvm::LoopInfo& loops);
  void order_by_dominance();
  void find_postdominators();
  bool topological() const;
  bool loops_are_together(const llvm::LoopInfo& loops) const;

  std::vector<llvm::BasicBlock*> order_;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> index_;
  Edges successors_;
  std::vector<unsigned> idom_, subtree_end_, ipdom_, post_begin_, post_end_;
  unsigned last_ = 0; ///< the return, while edges are collected
  bool valid_ = false;
};

} // namespace hostcl::compiler

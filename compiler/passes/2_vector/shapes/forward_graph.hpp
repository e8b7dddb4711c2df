#pragma once

// A function's blocks as an acyclic graph: every back edge is replaced by edges from the latch to the loop's exits, so
// that "later in this iteration" and "after the loop" are the same relation. The blocks are numbered in an order that
// - is topological,
// - keeps the blocks of each loop together,
// - lists all blocks that a block dominates directly after that block.
// Partial linearisation (control/control.hpp) relies on all three. Tests: compiler/tests/forward_graph.cpp

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
  /// @param function must be reducible, with one return and no unreachable block
  ForwardGraph(llvm::Function& function, const llvm::LoopInfo& loops);

  /// Whether the order has the three properties; it has them for every reducible function with a return.
  bool valid() const { return valid_; }

  unsigned size() const { return static_cast<unsigned>(order_.size()); }
  llvm::BasicBlock* block(unsigned index) const { return order_[index]; }
  unsigned index(const llvm::BasicBlock* block) const { return index_.lookup(block); }

  unsigned idom(unsigned block) const { return idom_[block]; }
  bool dominates(unsigned a, unsigned b) const { return a <= b && b < subtree_end_[a]; }

  /// The immediate post-dominator of `block` in the forward graph: the nearest block that every path to the return
  /// passes.
  unsigned ipdom(unsigned block) const { return ipdom_[block]; }
  bool postdominates(unsigned a, unsigned b) const {
    return post_begin_[a] <= post_begin_[b] && post_begin_[b] < post_end_[a];
  }

  /// The nearest dominator of `block` that is in no loop which does not contain `block`.
  unsigned outer_dominator(unsigned block, const llvm::LoopInfo& loops) const;

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
  unsigned last_ = 0; ///< the block of the return; only used while edges are collected
  bool valid_ = false;
};

} // namespace hostcl::compiler

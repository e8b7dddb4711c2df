#include "compiler/passes/3_group/regions/region_graph.hpp"

#include "compiler/values/group_uniformity.hpp"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <limits>

namespace hostcl::compiler {

using namespace llvm;

namespace {

using Order = std::vector<BasicBlock*>;
using Positions = DenseMap<BasicBlock*, unsigned>; ///< in the kernel's order

std::size_t instruction_count(const Order& blocks) {
  std::size_t count = 0;
  for (BasicBlock* block : blocks)
    count += block->size();
  return count;
}

/// Finds the region's blocks, in the function's order. @returns false if they have more than `limit` instructions
bool fill_region(Region& region, const RegionGraph& graph, const Positions& position, std::size_t limit) {
  SmallPtrSet<BasicBlock*, 16> reached{region.head};
  Order blocks{region.head};
  std::size_t instructions = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    instructions += blocks[i]->size();
    if (instructions > limit) return false;
    if (isa<ReturnInst>(blocks[i]->getTerminator())) region.returns = true;
    for (BasicBlock* successor : successors(blocks[i])) {
      auto head = graph.region_at.find(successor);
      if (head != graph.region_at.end())
        region.next.push_back(head->second);
      else if (reached.insert(successor).second)
        blocks.push_back(successor);
    }
  }
  llvm::sort(drop_begin(blocks),
             [&](BasicBlock* a, BasicBlock* b) { return position.lookup(a) < position.lookup(b); });
  llvm::sort(region.next);
  region.next.erase(llvm::unique(region.next), region.next.end());
  region.blocks = std::move(blocks);
  return true;
}

/// The regions that begin at the heads; nothing if their blocks have more than `limit` instructions in all.
std::optional<RegionGraph> graph_with_heads(ArrayRef<BasicBlock*> heads, const Positions& position,
                                            std::size_t limit) {
  RegionGraph graph;
  for (BasicBlock* head : heads) {
    graph.region_at[head] = static_cast<unsigned>(graph.regions.size());
    graph.regions.emplace_back().head = head;
  }
  for (Region& region : graph.regions) {
    if (!fill_region(region, graph, position, limit)) return std::nullopt;
    limit -= instruction_count(region.blocks);
  }
  return graph;
}

/// The blocks at which different regions join. With these as additional heads, every block belongs to one region. They
/// are the heads' iterated dominance frontier. A block that only returns is no head: each region that reaches the block
/// gets a copy.
Order meeting_blocks(Function& kernel, const Order& order, ArrayRef<BasicBlock*> heads) {
  DominatorTree tree(kernel);
  ForwardIDFCalculator frontier(tree);
  const SmallPtrSet<BasicBlock*, 16> starts(heads.begin(), heads.end());
  frontier.setDefiningBlocks(starts);
  SmallVector<BasicBlock*, 16> joins;
  frontier.calculate(joins);
  Order meetings;
  copy_if(order, std::back_inserter(meetings), [&](BasicBlock* block) {
    return is_contained(joins, block) && !starts.contains(block) && !isa<ReturnInst>(block->front());
  });
  return meetings;
}

/// For each block, the next point that all its work-items reach: the head of a region, the end of the kernel, or a
/// block at which control flow leads to different such points. Found by a backward data-flow analysis.
class Destinations {
public:
  Destinations(const RegionGraph& graph, const Order& order, bool count_returns)
      : graph_(graph), count_returns_(count_returns) {
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock* block : llvm::reverse(order))
        changed |= update(*block);
    }
  }

  bool ways_part_at(const BasicBlock& block) const { return parting_.contains(&block); }

private:
  static constexpr const void* nowhere = nullptr;

  const void* common_destination(const BasicBlock& block) const {
    if (isa<ReturnInst>(block.getTerminator())) return count_returns_ ? &graph_ : nowhere;
    const void* common = nowhere;
    for (const BasicBlock* successor : successors(&block)) {
      const void* theirs = graph_.is_head(successor) ? successor : destination_.lookup(successor);
      if (theirs == nowhere || theirs == common) continue;
      if (common != nowhere) return block.getTerminator();
      common = theirs;
    }
    return common;
  }

  bool update(const BasicBlock& block) {
    if (parting_.contains(&block)) return false;
    const void* destination = common_destination(block);
    if (destination == block.getTerminator()) parting_.insert(&block);
    const void*& known = destination_[&block];
    bool changed = known != destination;
    known = destination;
    return changed;
  }

  const RegionGraph& graph_;
  bool count_returns_;
  DenseMap<const BasicBlock*, const void*> destination_;
  SmallPtrSet<const BasicBlock*, 16> parting_;
};

bool items_part(const RegionGraph& graph, const Order& order, bool count_returns,
                const GroupUniformity& uniformity) {
  Destinations destinations(graph, order, count_returns);
  return any_of(order, [&](BasicBlock* block) {
    return destinations.ways_part_at(*block) && uniformity.has_divergent_branch(*block);
  });
}

} // namespace

RegionGraph build_region_graph(Function& kernel, BasicBlock& first, ArrayRef<BasicBlock*> behind_barriers,
                               const GroupUniformity* uniformity) {
  ReversePostOrderTraversal<BasicBlock*> traversal(&first);
  Order order(traversal.begin(), traversal.end());
  Positions position;
  for (BasicBlock* block : order)
    position[block] = static_cast<unsigned>(position.size());

  Order heads{&first};
  for (BasicBlock* block : behind_barriers)
    if (position.contains(block)) heads.push_back(block);
  llvm::sort(drop_begin(heads),
             [&](BasicBlock* a, BasicBlock* b) { return position.lookup(a) < position.lookup(b); });

  auto graph = graph_with_heads(heads, position, 3 * instruction_count(order) + 200);
  if (!graph) {
    Order meetings = meeting_blocks(kernel, order, heads);
    heads.insert(heads.begin() + 1, meetings.begin(), meetings.end());
    graph = graph_with_heads(heads, position, std::numeric_limits<std::size_t>::max());
  }
  if (!graph) llvm_unreachable("a graph without a limit is always made");
  if (graph->regions.size() > 1 && items_part(*graph, order, true, *uniformity))
    graph->lockstep =
        items_part(*graph, order, false, *uniformity) ? Lockstep::not_guaranteed : Lockstep::until_return;
  return std::move(*graph);
}

} // namespace hostcl::compiler

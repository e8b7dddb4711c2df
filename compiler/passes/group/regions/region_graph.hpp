#pragma once

// A kernel cut into regions: the code that a work-item runs from one barrier to the next.
//
// Each region starts at a head: the kernel's first block, the block after a barrier, or, where regions would
// share too much code, a block at which regions join. An edge into a head ends a region. A block that is
// reached from several heads belongs to several regions, which each get a copy. Test: region_graph.cpp

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace hostcl::compiler {

class GroupUniformity;

struct Region {
  llvm::BasicBlock* head = nullptr;
  std::vector<llvm::BasicBlock*> blocks; ///< the head first, then in reverse post-order of the function
  llvm::SmallVector<unsigned, 2> next;   ///< regions that may follow, ascending
  bool returns = false;                  ///< whether a work-item may end in this region
};

/// How work-items of a group may differ in the sequence of regions that they take.
enum class Lockstep {
  complete,       ///< all take the same regions
  until_return,   ///< some may return earlier, the others take the same regions
  not_guaranteed, ///< unknown: each chunk remembers which region is its next
};

struct RegionGraph {
  /// The kernel's first region, then those at blocks where regions join, then those after barriers; regions
  /// that are reached from others without a path back come after these.
  std::vector<Region> regions;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> region_at; ///< head to index
  Lockstep lockstep = Lockstep::complete;

  bool is_head(const llvm::BasicBlock* block) const { return region_at.contains(block); }
};

/// @param first the first block that work-items run
/// @param behind_barriers blocks that are entered by one unconditional edge, which stands for a barrier
/// @param uniformity may be null if there are none
RegionGraph build_region_graph(llvm::Function& kernel, llvm::BasicBlock& first,
                               llvm::ArrayRef<llvm::BasicBlock*> behind_barriers,
                               const GroupUniformity* uniformity);

} // namespace hostcl::compiler

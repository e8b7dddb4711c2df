#pragma once

// Divides a kernel into regions: the code that a work-item runs from one barrier to the next.
//
// A region starts at a head. Heads are the kernel's first block, the blocks after barriers, and, if regions would
// otherwise have too much code in common, blocks at which regions join. An edge into a head ends a region. A block that
// can be reached from several heads without passing another head belongs to several regions, each of which gets a copy.
// Test: region_graph.cpp

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
  std::vector<llvm::BasicBlock*> blocks; ///< the head first, then the function's reverse post-order
  llvm::SmallVector<unsigned, 2> next;   ///< regions that may follow, in ascending order
  bool returns = false;                  ///< whether a work-item may end in this region
};

/// Whether the work-items of a group are known to run the same sequence of regions.
enum class Lockstep {
  complete,       ///< all work-items run the same regions
  until_return,   ///< some work-items may return early; all others run the same regions
  not_guaranteed, ///< nothing: each chunk stores which region it runs next
};

struct RegionGraph {
  /// The kernel's first region, then regions at joins, then regions after barriers. Within each kind, a region that is
  /// reached from another one without a path back comes after it.
  std::vector<Region> regions;
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> region_at; ///< head to index
  Lockstep lockstep = Lockstep::complete;

  bool is_head(const llvm::BasicBlock* block) const { return region_at.contains(block); }
};

/// @param first the first block that work-items run
/// @param behind_barriers the blocks after barriers; each is entered by one unconditional edge
/// @param uniformity may be null if there are no barriers
RegionGraph build_region_graph(llvm::Function& kernel, llvm::BasicBlock& first,
                               llvm::ArrayRef<llvm::BasicBlock*> behind_barriers,
                               const GroupUniformity* uniformity);

} // namespace hostcl::compiler

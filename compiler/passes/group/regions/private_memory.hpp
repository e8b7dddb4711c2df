#pragma once

// The places of private arrays once a whole group runs in one function.

#include <cstdint>
#include <vector>

namespace llvm {
class AllocaInst;
class BasicBlock;
} // namespace llvm

namespace hostcl::compiler {

struct RegionGraph;

enum class PrivatePlace {
  stack,   ///< contents are dead at every barrier: one copy, on the stack
  fixed,   ///< likewise, but too big for the stack: one copy, in the context
  chunked, ///< contents outlive a barrier: a copy for each chunk, in the context
};

struct PrivateArray {
  llvm::AllocaInst* variable;
  PrivatePlace place;
  std::uint64_t bytes;       ///< a multiple of the alignment
  bool has_lifetime = false; ///< the kernel says itself where contents begin and end
};

/// Places the variables of `declarations`, the block that holds the kernel's allocas.
std::vector<PrivateArray> place_private_memory(llvm::BasicBlock& declarations, const RegionGraph& graph);

} // namespace hostcl::compiler

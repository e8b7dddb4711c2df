#pragma once

// Decides where private variables are once a whole group runs in one function.

#include <cstdint>
#include <vector>

namespace llvm {
class AllocaInst;
class BasicBlock;
} // namespace llvm

namespace hostcl::compiler {

struct RegionGraph;

enum class PrivatePlace {
  stack,   ///< dead at every barrier: one copy, on the stack
  fixed,   ///< dead at every barrier, but too large for the stack: one copy, in the context
  chunked, ///< live across a barrier: one copy for each chunk, in the context
};

struct PrivateArray {
  llvm::AllocaInst* variable;
  PrivatePlace place;
  std::uint64_t bytes;       ///< a multiple of the alignment
  bool has_lifetime = false; ///< whether the kernel has lifetime markers for it
};

/// Decides for all variables of `declarations`, the block that holds the kernel's allocas.
std::vector<PrivateArray> place_private_memory(llvm::BasicBlock& declarations, const RegionGraph& graph);

} // namespace hostcl::compiler

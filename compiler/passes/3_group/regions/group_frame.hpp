#pragma once

// State that the regions of one kernel share while barrier-regions writes its code: variables of the group, and the
// layout of the context.

#include "compiler/ir/kernel_shape.hpp"
#include "compiler/passes/3_group/regions/cross_values.hpp"
#include "compiler/passes/3_group/regions/debug_places.hpp"
#include "compiler/passes/3_group/regions/private_memory.hpp"
#include "compiler/passes/3_group/regions/region_graph.hpp"

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class AllocaInst;
class MDNode;
class Type;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// An array in the context with one element for each chunk of the group, or with one for all chunks.
struct ChunkArray {
  llvm::Value* base = nullptr;
  std::uint64_t stride = 0; ///< bytes; 0: one element for all chunks
  std::uint64_t alignment = 1;
};

/// Owned by barrier-regions for the time in which it rewrites one kernel.
class GroupFrame {
public:
  /// Declares variables and computes addresses at the end of `group`, the block that runs once per group.
  GroupFrame(llvm::BasicBlock& group, const KernelShape& shape, const RegionGraph& graph,
             const CrossValues& values, DebugPlaces& debug_places);

  llvm::AllocaInst* shared(const llvm::Instruction& value);
  const ChunkArray& slot(const llvm::Instruction& value) const { return slots_[values.slot(value)]; }
  bool chunks_may_part() const { return graph.lockstep != Lockstep::complete; }
  unsigned finished() const { return static_cast<unsigned>(graph.regions.size()); }
  /// The memory of a private variable; null if the variable is on the stack.
  const ChunkArray* memory_of(const llvm::AllocaInst& variable) const {
    auto found = array_memory_.find(&variable);
    return found == array_memory_.end() ? nullptr : &found->second;
  }
  /// Promotes the group's variables to SSA values.
  void promote_variables();

  const KernelShape shape;
  const RegionGraph& graph;
  const CrossValues& values;
  DebugPlaces& debug_places;
  const std::vector<PrivateArray> arrays;
  ContextSize context_size;
  /// The access group whose accesses are independent between work-items; null if chunks are vectors, or if sub-groups
  /// may change the same group scratch.
  llvm::MDNode* access_group = nullptr;
  /// The variable with the number of the region that the group runs next, as i32.
  llvm::AllocaInst* next_of_group;
  /// If chunks may diverge: the number of the region that each chunk runs next, as i32, or `finished()`.
  ChunkArray next_of_chunk;

private:
  void lay_out_context();
  llvm::AllocaInst* make_variable(llvm::Type* type, const char* name);

  llvm::BasicBlock& group_;
  llvm::DenseMap<const llvm::Instruction*, llvm::AllocaInst*> shared_;
  std::vector<llvm::AllocaInst*> variables_;
  std::vector<ChunkArray> slots_;
  llvm::DenseMap<const llvm::AllocaInst*, ChunkArray> array_memory_;
};

} // namespace hostcl::compiler

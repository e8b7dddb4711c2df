#pragma once

// Which values are the same for all work-items of a group: LLVM's uniformity analysis with the sources of
// divergence that a CPU has. Tests: compiler/tests/group_uniformity.cpp
//
//   %id  = call i64 @__hostcl_local_id(i32 0)      ; differs
//   %g   = call i64 @__hostcl_group_id(i32 0)      ; uniform
//   %x   = load i32, ptr addrspace(3) %flag        ; uniform, unless after an acquire (acquired_reads.hpp)
//   %own = load i32, ptr %alloca                   ; differs: private memory
//   %old = atomicrmw add ptr addrspace(1) %p, ...  ; differs, as every atomic and volatile access does
//   %y   = phi i32 [ %x, %some ], [ undef, %rest ] ; differs, if work-items differ in where they come from: one
//                                                  ; variable for the group would lose the value that some have
//   %z   = freeze i32 %y                           ; differs: each work-item chooses for itself

#include "compiler/passes/analysis/acquired_reads.hpp"

#include <memory>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
} // namespace llvm

namespace hostcl::compiler {

/// Whether work-items may get different results of the instruction although their operands are the same.
bool may_differ(const llvm::Instruction& instruction);

class GroupUniformity {
public:
  /// May split loop headers. The result is valid as long as no instruction is deleted and the control flow
  /// stays as it is.
  explicit GroupUniformity(llvm::Function& function);
  /// The same, for a function that has lost its barriers since `acquired` was found.
  GroupUniformity(llvm::Function& function, AcquiredReads acquired);
  ~GroupUniformity();

  /// Whether all work-items that run `instruction` get the same result, and still see the same at its uses (a
  /// loop that work-items leave at different times makes the loop's own values differ outside: temporal
  /// divergence).
  bool is_uniform(const llvm::Instruction& instruction) const;

  /// Whether work-items may leave a loop around `instruction` at different times (temporal divergence): its
  /// last value is then not the one that each of them saw, even if it was uniform inside.
  bool loops_part_around(const llvm::Instruction& instruction) const;

  /// Whether work-items may leave `block` for different successors.
  bool branches_apart(const llvm::BasicBlock& block) const;

  /// Whether it is proven that a barrier may be put in `block`: in each iteration of each loop around the block, either all
  /// work-items of the group run the block or none does. The proof has two parts. No branch on which the block is
  /// control-dependent is divergent. And work-items leave all loops around the block after the same iteration; otherwise
  /// they could run the block equally often, but in different iterations of an outer loop.
  bool all_reach(const llvm::BasicBlock& block) const;

private:
  struct Analysis;
  std::unique_ptr<Analysis> analysis_;
};

} // namespace hostcl::compiler

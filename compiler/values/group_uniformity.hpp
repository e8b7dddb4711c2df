#pragma once

// Finds the values that are uniform over a work-group: LLVM's uniformity analysis with the sources of divergence that a
// CPU has.
// Tests: compiler/tests/group_uniformity.cpp
//
//   %id  = call i64 @__hostcl_local_id(i32 0)      ; divergent
//   %g   = call i64 @__hostcl_group_id(i32 0)      ; uniform
//   %x   = load i32, ptr addrspace(3) %flag        ; uniform, unless after an acquire (acquired_reads.hpp)
//   %own = load i32, ptr %alloca                   ; divergent: private memory
//   %old = atomicrmw add ptr addrspace(1) %p, ...  ; divergent, as every atomic and volatile access
//   %y   = phi i32 [ %x, %some ], [ undef, %rest ] ; divergent, if work-items come from different blocks: a single
//                                                  ; variable for the group would lose the value of those from %some
//   %z   = freeze i32 %y                           ; divergent: each work-item may choose another value

#include <memory>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace hostcl::compiler {

/// Whether the instruction by itself is a source of divergence: work-items may get different results from the same
/// operands. This function does not recognise reads after an acquire and freezes of undefined values, which depend on
/// the rest of the function.
bool is_source_of_divergence(const llvm::Instruction& instruction);

/// The analysis of one function.
class GroupUniformity {
public:
  /// May split headers of loops. The result is valid until an instruction is deleted or the control flow changes.
  explicit GroupUniformity(llvm::Function& function);
  ~GroupUniformity();

  /// Whether all work-items that run an instruction get the same result, and still see the same value at its uses.
  /// After a loop that work-items leave in different iterations, they see different values (temporal divergence).
  /// Constants and arguments are uniform.
  bool is_uniform(const llvm::Value& value) const;

  /// Whether work-items may leave a loop around `instruction` after different iterations (temporal divergence). If so,
  /// a pass must not keep the instruction's value in one variable for the whole group and read the variable after the
  /// loop: the variable would have the value of the last iteration that any work-item ran.
  bool loops_part_around(const llvm::Instruction& instruction) const;

  /// Whether some work-items may run the block of a loop between two barriers while others do not run it. A value of
  /// such a block that lives on behind a barrier must not be in one variable for the whole group: work-items that do
  /// not run the block again need the value of an earlier iteration.
  bool may_be_missed(const llvm::BasicBlock& block) const;

  /// Whether the block's branch is divergent.
  bool has_divergent_branch(const llvm::BasicBlock& block) const;

  /// Whether it is proven that a barrier may be put in `block`: in each iteration of each loop around the block, either
  /// all work-items of the group run the block or none does. The proof has three parts. No branch on which the block is
  /// control-dependent is divergent. Work-items leave all loops around the block after the same iteration; otherwise
  /// they could run the block equally often, but in different iterations of an outer loop. And work-items do not reach
  /// a barrier of these loops in different iterations.
  bool all_reach(const llvm::BasicBlock& block) const;

private:
  /// Whether it is proven that all work-items reach each barrier of the loops around `block` in the same iteration.
  /// The proof: if work-items diverge in the outermost loop, their paths join before a barrier and before the next
  /// iteration begins. OpenCL C requires that, but a loop of a SPIR-V module may break the rule, because a compiler may
  /// have changed the loops of the source (barrier_branches.hpp).
  bool is_synchronised(const llvm::BasicBlock& block) const;

  struct Analysis;
  std::unique_ptr<Analysis> analysis_;
};

} // namespace hostcl::compiler

#pragma once

// The counter of a loop in which each work-item begins at a place of its own, and all go on in equal steps to the same
// end:
//
//   for (i = get_global_id(0); i < size; i += get_global_size(0)) ...
//
// Test: tests/passes/group/lockstep_loops.ll

#include "llvm/IR/InstrTypes.h"

#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class BranchInst;
class IRBuilderBase;
class Loop;
class PHINode;
class Value;
} // namespace llvm

namespace hostcl::compiler {

class GroupUniformity;
class LinearForms;

class WalkCounter {
public:
  /// @param loop has a preheader
  /// @param forms exact ones, see Wrapping::counts
  static std::optional<WalkCounter> find(const llvm::Loop& loop, LinearForms& forms,
                                         const GroupUniformity& uniformity);

  llvm::PHINode& phi() const { return *phi_; }
  llvm::Value* start() const { return start_; }
  llvm::Value* step() const { return step_; }
  llvm::Value* next() const { return next_; }

  /// The block that decides whether a work-item enters the loop: the one that compares the start with the end if there is
  /// such a guard, else the preheader.
  llvm::BasicBlock& deciding_block(const llvm::Loop& loop) const;
  /// Emits the start of the row's first work-item, which all of the group agree on.
  llvm::Value* first_start(llvm::IRBuilderBase& build) const;
  /// Emits whether a place is not past the end.
  llvm::Value* continues(llvm::IRBuilderBase& build, llvm::Value* place) const;
  /// Emits whether no place of the row is past the end if that of its first work-item is `first`.
  llvm::Value* continues_for_all(llvm::IRBuilderBase& build, llvm::Value* first) const;

private:
  WalkCounter() = default;
  bool is_guard(const llvm::BranchInst& branch, const llvm::BasicBlock& inside,
                const llvm::BasicBlock& outside) const;

  llvm::PHINode* phi_ = nullptr;
  llvm::Value *start_ = nullptr, *step_ = nullptr, *next_ = nullptr, *end_ = nullptr;
  llvm::CmpInst::Predicate goes_on_ = llvm::CmpInst::BAD_ICMP_PREDICATE; ///< of a place and the end
  std::int64_t stride_ = 0; ///< between neighbouring work-items, positive
};

} // namespace hostcl::compiler

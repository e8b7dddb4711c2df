#pragma once

// An integer induction variable whose start is a multiple of the local id in x plus a uniform value, and whose step and
// end are uniform:
//
//   for (i = get_global_id(0); i < size; i += get_global_size(0)) ...
//
// Test: tests/passes/3_group/barrier_synchronised_loops.ll

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
  /// The loop's induction variable of this form; nothing if it has none.
  /// @param loop has a preheader
  /// @param forms exact forms (Wrapping::counts)
  static std::optional<WalkCounter> find(const llvm::Loop& loop, LinearForms& forms,
                                         const GroupUniformity& uniformity);

  llvm::PHINode& phi() const { return *phi_; }
  llvm::Value* start() const { return start_; }
  llvm::Value* step() const { return step_; }
  llvm::Value* next() const { return next_; }

  /// The block that decides whether a work-item enters the loop. It is the block before the preheader if that block
  /// ends with the loop's guard, a comparison of start and end, and the preheader's code may run before the guard; else
  /// the preheader.
  llvm::BasicBlock& deciding_block(const llvm::Loop& loop) const;
  /// Emits the start of the work-item with local id 0 in x. This start is uniform.
  llvm::Value* first_start(llvm::IRBuilderBase& build) const;
  /// Emits whether a value of the induction variable is not past the end.
  llvm::Value* continues(llvm::IRBuilderBase& build, llvm::Value* place) const;
  /// Emits whether the induction variable is not past the end in any work-item of the group. `first` is the variable's
  /// value in the work-item with local id 0.
  llvm::Value* continues_for_all(llvm::IRBuilderBase& build, llvm::Value* first) const;

private:
  WalkCounter() = default;
  bool is_guard(const llvm::BranchInst& branch, const llvm::BasicBlock& inside,
                const llvm::BasicBlock& outside) const;

  llvm::PHINode* phi_ = nullptr;
  llvm::Value *start_ = nullptr, *step_ = nullptr, *next_ = nullptr, *end_ = nullptr;
  llvm::CmpInst::Predicate goes_on_ = llvm::CmpInst::BAD_ICMP_PREDICATE; ///< of a value and the end
  std::int64_t stride_ = 0; ///< between the starts of neighbouring work-items, positive
};

} // namespace hostcl::compiler

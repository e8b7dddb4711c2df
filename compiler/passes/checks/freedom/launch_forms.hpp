#pragma once

// Launch forms: addresses as sums of variables that distinguish work-items and iterations, with strides that are
// constant for the launch. RaceFreedom (race_freedom.hpp) compares the forms of all accesses to prove that a launch has
// no races.
//
//   %row = group_id(1) * enqueued_local_size(1) + local_id(1)
//   %p = &a[sext(int)(%row * n + j)]          j < n in a loop
//
//   group_id(1) * (4 * n * enqueued_local_size(1)) + local_id(1) * (4 * n) + j * 4 + 0,
//   if %row * n + j fits a signed integer of 32 bits for all work-items
//
// Strides are sums of products of values that are constant for the launch. If the IR extends a sum (sext, zext), the
// form contains the terms of the sum, and is valid only under the condition that the sum does not wrap for any
// work-item and any iteration. The flags nsw and inbounds do not count as a proof of this condition.
//
// Tests: tests/passes/checks/races/split_races*.ll

#include "compiler/passes/checks/intervals.hpp"
#include "compiler/values/linear_forms.hpp"

#include "llvm/ADT/SmallPtrSet.h"

namespace hostcl::compiler {

/// One product of a launch form: variable * stride.
struct LaunchTerm {
  /// A call of local_id or group_id; a ticket, that is the result of an atomic counter (note_tickets()); another value
  /// with a known upper bound; or the header phi of a loop. A phi stands for the number of completed iterations of its
  /// loop, not for the phi's value: the start of the induction variable is in the other terms, and its step is a factor
  /// of the stride.
  const llvm::Value* variable;
  LinearForm stride; ///< its leaves are constant for the launch
};

/// The sum of all terms and `rest`.
struct LaunchForm {
  llvm::SmallVector<LaunchTerm, 4> terms; ///< all have different variables
  LinearForm rest;                        ///< its leaves are constant for the launch
};

/// Computes the forms of one kernel's values, and writes code that computes, before the work-items of a launch run,
/// values that are constant for the launch. The proof is right if all conditions hold (CheckedArithmetic).
class LaunchForms : public CheckedArithmetic {
public:
  /// @param builder writes into the function that computes the condition
  LaunchForms(const llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution, llvm::IRBuilder<>& builder)
      : CheckedArithmetic(builder),
        loops_(loops),
        forms_(&loops),
        intervals_(evolution, builder, ItemsOf::launch) {}

  /// Declares atomic instructions of one counter as variables (tickets). The caller guarantees that in a launch these
  /// instructions return no value twice. Instructions of several counters must not be mixed, because tickets of
  /// different counters may be equal.
  void note_tickets(llvm::ArrayRef<const llvm::Value*> tickets) { tickets_.insert_range(tickets); }

  /// The form of the difference between a pointer and `root` in bytes, whose conditions are required; nothing if the
  /// difference has no such form.
  /// @param at the block that uses the pointer: after a loop, a value of the loop may differ between work-items
  /// (temporal divergence)
  /// @param root the pointer's underlying object
  std::optional<LaunchForm> distance(const llvm::Value& pointer, const llvm::BasicBlock& at,
                                     const llvm::Value& root);
  /// The call of local_id to which an integer of 32 bits or more is equal; null for other values.
  const llvm::Value* id_in(const llvm::Use& number);

  /// The value of a form whose leaves are constant for the launch, i64.
  llvm::Value* value_of(const LinearForm& form);
  /// The greatest value of a term's variable, i64; the least is 0. Null if it is unknown.
  llvm::Value* last_of(const llvm::Value& variable);
  /// The greatest local or group id along a dimension.
  llvm::Value* last_id(Intrinsic id, unsigned dimension) { return intervals_.of_id(id, dimension).high; }

private:
  std::optional<LaunchForm> expand(const LinearForm& form);
  bool add_divergent(LaunchForm& form, const llvm::Value& leaf, bool differs, const LinearForm& factor);
  bool add_extended(LaunchForm& form, const llvm::Instruction& extension, const LaunchForm& sum_of,
                    const LinearForm& factor);
  std::optional<LinearForm> step_of(const llvm::PHINode& phi);
  bool is_same_for_launch(const llvm::Value& leaf);
  bool is_same_for_launch(const LinearForm& form);
  const llvm::Loop* loop_of(const llvm::PHINode& phi) const;
  llvm::Value* value_of_leaf(const llvm::Value& leaf);
  bool require_fits(const LaunchForm& sum, unsigned bits, bool is_signed);

  const llvm::LoopInfo& loops_;
  LinearForms forms_;
  Intervals intervals_;
  llvm::SmallPtrSet<const llvm::Value*, 2> tickets_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> leaves_, lasts_;
  unsigned depth_ = 0;
};

/// Whether two forms are equal.
bool is_same(const LinearForm& a, const LinearForm& b);

} // namespace hostcl::compiler

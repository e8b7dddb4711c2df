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
// form contains the terms of the sum, and is valid only under the condition that the sum does not wrap (struct Narrow).
// The flags nsw and inbounds do not count as a proof of this condition.
//
// Tests: tests/passes/checks/races/split_races*.ll

#include "compiler/values/linear_forms.hpp"
#include "compiler/values/ranges.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace llvm {
class Argument;
class DataLayout;
} // namespace llvm

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

/// A condition under which a form is valid: `sum`, computed in `bits` bits, does not wrap for any work-item and any
/// iteration.
struct Narrow {
  LaunchForm sum;
  unsigned bits;
  bool is_signed;
};

/// Computes the forms of one kernel's values.
class LaunchForms {
public:
  LaunchForms(const llvm::LoopInfo& loops, const llvm::DataLayout& layout)
      : loops_(loops), layout_(layout), forms_(&loops) {}

  /// Declares atomic instructions of one counter as variables (tickets). The caller guarantees that in a launch these
  /// instructions return no value twice. Instructions of several counters must not be mixed, because tickets of
  /// different counters may be equal.
  void note_tickets(llvm::ArrayRef<const llvm::Value*> tickets) { tickets_.insert_range(tickets); }

  /// The form of the difference between a pointer and `root` in bytes; nothing if the difference has no such form.
  /// @param at the block that uses the pointer: after a loop, a value of the loop may differ between work-items
  /// (temporal divergence)
  /// @param root the pointer's underlying object
  /// @param conditions the conditions under which the form is valid are added to this list
  std::optional<LaunchForm> distance(const llvm::Value& pointer, const llvm::BasicBlock& at,
                                     const llvm::Value& root, llvm::SmallVectorImpl<Narrow>& conditions);
  /// The form of an integer of at most 64 bits; nothing if it has none.
  std::optional<LaunchForm> of(const llvm::Use& number, llvm::SmallVectorImpl<Narrow>& conditions) {
    return expand(forms_.of(number), conditions);
  }

  /// An exclusive upper bound of a leaf; nothing if no bound is known at compile time, or if the bound is above 65,536.
  static std::optional<std::uint64_t> bound_of(const llvm::Value& leaf);
  /// The loop whose header contains the phi; null if there is none.
  const llvm::Loop* loop_of(const llvm::PHINode& phi) const;
  /// The call of local_id to which an integer of 32 bits or more is equal; null for other values.
  const llvm::Value* id_in(const llvm::Use& number);

private:
  std::optional<LaunchForm> expand(const LinearForm& form, llvm::SmallVectorImpl<Narrow>& conditions);
  bool add_divergent(LaunchForm& form, const llvm::Value& leaf, bool differs, const LinearForm& factor,
                     llvm::SmallVectorImpl<Narrow>& conditions);
  std::optional<LinearForm> step_of(const llvm::PHINode& phi);
  bool is_same_for_launch(const llvm::Value& leaf);

  const llvm::LoopInfo& loops_;
  const llvm::DataLayout& layout_;
  LinearForms forms_;
  llvm::SmallPtrSet<const llvm::Value*, 2> tickets_;
  unsigned depth_ = 0;
};

/// A field of a structure to which a pointer argument points, for instance of an image's descriptor. The field does not
/// change during the launch (its load has !invariant.load).
struct FieldOfArgument {
  const llvm::Argument* argument;
  std::uint64_t offset;
};
std::optional<FieldOfArgument> field_of_argument(const llvm::Value& leaf);

/// Whether two forms are equal.
bool is_same(const LinearForm& a, const LinearForm& b);

} // namespace hostcl::compiler

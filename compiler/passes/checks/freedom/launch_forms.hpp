#pragma once

// Addresses as what tells work-items of a launch apart, and how far from each other that puts them:
//
//   %row = group_id(1) * size(1) + local_id(1)
//   %p = &a[sext(int)(%row * n + j)]          j < n in a loop
//
//   group_id(1) * (4 * n * size(1)) + local_id(1) * (4 * n) + j * 4 + 0,
//   if %row * n + j is a signed number of 32 bits for all work-items
//
// Strides are sums of products of what is the same for the whole launch. Nothing is taken from flags (nsw, inbounds): where
// a sum of narrow numbers is extended, the form depends on that the sum fits.
//
// Tests: tests/passes/checks/races/split_races*.ll

#include "compiler/passes/analysis/addresses.hpp"
#include "compiler/passes/analysis/linear_forms.hpp"

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

/// What a form grows by while one of its variables does.
struct LaunchTerm {
  /// A call of local_id or group_id; the phi that counts a loop's rounds; a ticket; or another number with an upper bound.
  const llvm::Value* variable;
  LinearForm stride; ///< of leaves that are the same for the launch
};

struct LaunchForm {
  llvm::SmallVector<LaunchTerm, 4> terms; ///< with different variables
  LinearForm rest;                        ///< of leaves that are the same for the launch
};

/// What has to hold for a form: the sum of a narrower type is not to wrap.
struct Narrow {
  LaunchForm sum;
  unsigned bits;
  bool is_signed;
};

class LaunchForms {
public:
  LaunchForms(const llvm::LoopInfo& loops, const llvm::DataLayout& layout)
      : loops_(loops), layout_(layout), forms_(&loops) {}

  /// Results of atomic operations that are variables: no two of them are the same number in a launch.
  void note_tickets(llvm::ArrayRef<const llvm::Value*> tickets) { tickets_.insert_range(tickets); }

  /// How far a pointer lies from its root for code in the block `at`, in bytes. Nothing if it has another form.
  std::optional<LaunchForm> distance(const llvm::Value& pointer, const llvm::BasicBlock& at,
                                     const llvm::Value& root, llvm::SmallVectorImpl<Narrow>& conditions);
  /// A number of at most 64 bits.
  std::optional<LaunchForm> of(const llvm::Use& number, llvm::SmallVectorImpl<Narrow>& conditions) {
    return expand(forms_.of(number), conditions);
  }

  /// The number that the leaf of a form is less than, if it is known without the launch.
  static std::optional<std::uint64_t> bound_of(const llvm::Value& leaf);
  /// The loop whose header has the phi; null if there is none.
  const llvm::Loop* loop_of(const llvm::PHINode& phi) const;
  /// The local id that a number is, of 32 bits or more; null for all others.
  const llvm::Value* id_in(const llvm::Use& number);

private:
  std::optional<LaunchForm> expand(const LinearForm& form, llvm::SmallVectorImpl<Narrow>& conditions);
  bool add_moving(LaunchForm& form, const llvm::Value& leaf, bool differs, const LinearForm& factor,
                  llvm::SmallVectorImpl<Narrow>& conditions);
  std::optional<LinearForm> step_of(const llvm::PHINode& phi);
  bool is_same_for_launch(const llvm::Value& leaf);

  const llvm::LoopInfo& loops_;
  const llvm::DataLayout& layout_;
  LinearForms forms_;
  llvm::SmallPtrSet<const llvm::Value*, 2> tickets_;
  unsigned depth_ = 0;
};

/// What an argument points to that is there in every launch and does not change, as in descriptions of images.
struct FieldOfArgument {
  const llvm::Argument* argument;
  std::uint64_t offset;
};
std::optional<FieldOfArgument> field_of_argument(const llvm::Value& leaf);

/// Whether a leaf is a call of local_id or group_id.
bool is_item_id(const llvm::Value& leaf);
/// Whether two forms are the same sum.
bool is_same(const LinearForm& a, const LinearForm& b);

} // namespace hostcl::compiler

#pragma once

// Linear forms: values as sums of products, for all passes that need to know how addresses differ between work-items:
//
//   %start = mul i64 %group, %size                  group * size
//   %i = add i64 %start, %local                     group * size + local
//   %p = getelementptr float, ptr %a, i64 %i        a + 4 * group * size + 4 * local
//
// A value that is neither a sum nor a product is a leaf: ids, arguments, loads, and all other operations. Each term
// records whether its leaves depend on ids and on memory (Dependence). All calls of one work-item function with the
// same dimension, such as `__hostcl_local_id(i32 0)`, are the same leaf.
//
// A form is exact modulo two to the power of the bits of the value's type. An extension is a leaf of its own, because
// the extended sum may wrap. Passes that only decide about speed may ignore wrapping (Wrapping::ignored). The form of a
// phi in a loop's header whose step is uniform is the form of the phi's start plus a leaf. The leaf is listed as the
// phi, but stands for the difference between the phi and its start, which is uniform within an iteration. A header phi
// with a divergent step is a leaf that depends on everything. Work-items may leave the loop after different iterations,
// so the same leaf is divergent for code outside of the loop (temporal divergence); of() therefore takes the block that
// uses the value.
//
// Expressions deeper than a limit, forms of more than 16 terms, products of more than 8 leaves, and products of long sums
// become leaves.
// Tests: compiler/tests/linear_forms.cpp, compiler/tests/value_properties.cpp

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Use;
class Value;
} // namespace llvm

namespace hostcl::compiler {

struct LinearSum;

/// On what a value depends, as a set of bits.
enum Dependence : unsigned {
  on_local_id = 1U << 0, ///< the local id of dimension 0; `on_local_id << d` for dimension d
  on_group_id = 1U << 3, ///< the group id, likewise
  on_any_id = (1U << 6) - 1,
  on_memory = 1U << 6, ///< a load or an atomic
  on_item = 1U << 7,   ///< the work-item, in an unknown way
};

/// factor * the product of the leaves.
struct Term {
  std::int64_t factor = 0;
  llvm::SmallVector<const llvm::Value*, 2> leaves; ///< sorted; empty for the constant term
  unsigned dependence = 0;

  bool operator==(const Term&) const = default;
};

/// A sum of terms.
struct LinearForm {
  llvm::SmallVector<Term, 4> terms; ///< no two terms have the same list of leaves, and no factor is 0

  static LinearForm constant(std::int64_t value) {
    return value == 0 ? LinearForm() : LinearForm{{{value, {}, 0}}};
  }
  static LinearForm leaf(const llvm::Value& value, unsigned dependence = 0) {
    return {{{1, {&value}, dependence}}};
  }
  /// The value, if the form is a leaf; null for other forms.
  const llvm::Value* as_leaf() const;
  unsigned dependence() const;
  /// The stride: the difference between neighbouring work-items along the dimension, in bytes for a pointer; nothing if
  /// it is not constant.
  std::optional<std::int64_t> stride(unsigned dimension) const;
};

/// a + factor * b
LinearForm sum(LinearForm a, const LinearForm& b, std::int64_t factor = 1);
LinearForm product(const LinearForm& a, const LinearForm& b);

/// What is known of the groups of a launch.
struct Groups {
  unsigned dimensions = 3; ///< queries of higher dimensions have the same result in all groups
  /// Whether all groups have the enqueued local size, so that local_size and enqueued_local_size are equal.
  bool have_one_size = true;
};

/// The form of `sext(a + b)` or `zext(a + b)`. With `counts`, the extension is a leaf, because the sum may have
/// wrapped. With `ignored`, the form is that of `a + b`, as if no sum wrapped; this is right only for decisions about
/// speed.
enum class Wrapping : std::uint8_t { counts, ignored };

/// Computes and caches the forms of one function's values. The function must not change meanwhile.
class LinearForms {
public:
  /// @param loops may be null: induction variables are then divergent leaves
  /// @param most_depth deeper expressions become leaves
  explicit LinearForms(const llvm::LoopInfo* loops = nullptr, Wrapping wrapping = Wrapping::counts,
                       unsigned most_depth = 200)
      : loops_(loops), wrapping_(wrapping), most_depth_(most_depth) {}

  /// The form of a value, with the dependences that it has for code in the block `at`.
  LinearForm of(const llvm::Value& value, const llvm::BasicBlock& at);
  /// The form of an operand for the instruction that uses the operand. A phi uses its operands in the phi's own block
  /// here, and not at the end of the incoming block as in LLVM. So the operand of a phi in a loop's exit block counts
  /// as used after the loop, and may be temporally divergent.
  LinearForm of(const llvm::Use& operand);

  /// The step: how much the value grows from one iteration of the loop to the next, in bytes for a pointer; nothing if
  /// it is not constant.
  std::optional<std::int64_t> step(const llvm::Value& value, const llvm::Loop& loop);

  /// Substitutes `id - group_id(d) * enqueued_local_size(d)` for local_id(d), where `id` is the work-item's global id
  /// without the launch's offset. In the result, the leaf local_id(d) stands for `id`. Returns nothing if the result
  /// still depends on the group's id or size. Otherwise the value is the same however work-items are grouped.
  /// @param form of this object's function
  std::optional<LinearForm> in_global_ids(const LinearForm& form, Groups groups) const;
  /// Whether the form is a global id, with or without the launch's offset: group_id(d) * local_size(d) + local_id(d),
  /// or with enqueued_local_size(d). In a last group that is smaller than the others, the former is less than the id.
  bool is_global_id(const LinearForm& form) const;

private:
  friend bool is_data_dependent(const llvm::Value& address);
  friend bool is_divergent(const llvm::Value& address, const llvm::Function& kernel);

  /// The form of a value for code in the block that defines the value.
  LinearForm defined(const llvm::Value& value);
  LinearForm compute(const llvm::Instruction& instruction);
  bool is_counter(const llvm::PHINode& phi) const;
  void find_divergent_steps(const llvm::Loop* loop);
  LinearForm step_of(const llvm::PHINode& counter, const llvm::Loop& loop);
  LinearForm of_sum(const llvm::Instruction& instruction, const LinearSum& parts);
  LinearForm leaf_of_operands(const llvm::Instruction& instruction);
  const llvm::Value* query(unsigned kind, unsigned dimension) const {
    return queries_.lookup({kind, dimension});
  }

  const llvm::LoopInfo* loops_;
  Wrapping wrapping_;
  unsigned most_depth_, depth_ = 0;
  llvm::MapVector<const llvm::Value*, LinearForm> known_;
  llvm::SetVector<const llvm::Loop*> known_loops_; ///< those for which find_divergent_steps() has begun
  llvm::DenseSet<const llvm::Value*> have_divergent_step_;
  /// The first call of each query by its kind (enum Intrinsic) and dimension, which is the leaf for all of them.
  llvm::DenseMap<std::pair<unsigned, unsigned>, const llvm::Value*> queries_;
};

/// Whether a leaf is a call of local_id or group_id.
bool is_item_id(const llvm::Value& leaf);

/// Whether the form of an address contains a load or an atomic operation, as in `bins[data[i]]`. The lanes' addresses
/// are then probably unrelated.
bool is_data_dependent(const llvm::Value& address);

/// Whether `address` is a sum of multiples of all ids that `kernel` queries, and so most likely different for each
/// work-item. Only for decisions about speed: a multiple may be zero, or sums may coincide.
/// Test: tests/passes/atomics/deferrable_atomics.ll
bool is_divergent(const llvm::Value& address, const llvm::Function& kernel);

} // namespace hostcl::compiler

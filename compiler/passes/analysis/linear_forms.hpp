#pragma once

// Values as sums of products, for everyone who asks how addresses of work-items differ:
//
//   %start = mul i64 %group, %size                  group * size
//   %i = add i64 %start, %local                     group * size + local
//   %p = getelementptr float, ptr %a, i64 %i        a + 4 * group * size + 4 * local
//
// What is neither a sum nor a product is a leaf: ids, arguments, loads, and any other operation. Each term knows which
// ids its leaves depend on. Calls of one query are one leaf.
//
// A form is exact modulo two to the bits of the value's type. An extension is a leaf of its own, because the sum
// in it may wrap. Passes that decide about speed alone may ignore wrapping (Wrapping::ignored). An induction variable is its
// start plus a leaf that is uniform within an iteration. Work-items may leave the loop after different iterations, so the
// same leaf is divergent for code outside of the loop (temporal divergence). of() therefore takes the code that uses the
// value. A result does not depend on earlier queries.
//
// Expressions deeper than 200, and forms of more than 16 terms, become leaves. Tests:
// compiler/tests/linear_forms.cpp

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Use;
class Value;
} // namespace llvm

namespace hostcl::compiler {

struct LinearSum;

/// What a value depends on, as bits.
enum Dependence : unsigned {
  on_local_id = 1U << 0, ///< of dimension 0; shifted by a dimension for others
  on_group_id = 1U << 3, ///< the same
  on_any_id = (1U << 6) - 1,
  on_memory = 1U << 6, ///< a load or an atomic
  on_item = 1U << 7,   ///< on the work-item, in no way that is known
};

struct Term {
  std::int64_t factor = 0;
  llvm::SmallVector<const llvm::Value*, 2> leaves; ///< sorted; none for the constant term
  unsigned dependence = 0;

  bool operator==(const Term&) const = default;
};

struct LinearForm {
  llvm::SmallVector<Term, 4> terms; ///< with different leaves, and factors that are not 0

  unsigned dependence() const;
  /// The difference between neighbouring work-items along the dimension, in bytes for a pointer; nothing if
  /// it is not a constant.
  std::optional<std::int64_t> stride(unsigned dimension) const;
};

/// a + factor * b
LinearForm sum(LinearForm a, const LinearForm& b, std::int64_t factor = 1);
LinearForm product(const LinearForm& a, const LinearForm& b);

/// Whether sums that may wrap before they are extended become leaves, or are taken not to wrap.
enum class Wrapping : std::uint8_t { counts, ignored };

class LinearForms {
public:
  /// @param loops may be null: induction variables are then divergent leaves
  explicit LinearForms(const llvm::LoopInfo* loops = nullptr, Wrapping wrapping = Wrapping::counts)
      : loops_(loops), wrapping_(wrapping) {}

  /// The form of a value, with the dependences that it has for code in the block `at`.
  LinearForm of(const llvm::Value& value, const llvm::BasicBlock& at) {
    return seen_from(at, defined(value));
  }
  /// The form of an operand for the instruction that uses the operand. A phi uses its operands in the phi's own block, so an
  /// incoming value from an exiting block has already left the loop.
  LinearForm of(const llvm::Use& operand);

  /// How much the value grows from one iteration of the loop to the next, in bytes for a pointer; nothing if that
  /// is not constant.
  std::optional<std::int64_t> step(const llvm::Value& value, const llvm::Loop& loop);

private:
  friend bool is_data_dependent(const llvm::Value& address);

  /// The form of a value for code in the block that defines the value.
  LinearForm defined(const llvm::Value& value);
  LinearForm seen_from(const llvm::BasicBlock& at, LinearForm form) const;
  bool may_have_left_loop(const llvm::Value& leaf, const llvm::BasicBlock& at) const;
  LinearForm compute(const llvm::Instruction& instruction);
  LinearForm of_counter(const llvm::PHINode& phi);
  LinearForm of_sum(const llvm::Instruction& instruction, const LinearSum& parts);
  LinearForm leaf(const llvm::Value& value, unsigned dependence);
  LinearForm leaf_of_operands(const llvm::Instruction& instruction);
  void find_counters_around(const llvm::Instruction& instruction);
  LinearForm limited(LinearForm form, const llvm::Instruction& instruction);
  void forget_since(std::size_t count);

  const llvm::LoopInfo* loops_;
  Wrapping wrapping_;
  unsigned depth_ = 0;
  llvm::DenseMap<const llvm::Value*, LinearForm> known_;
  llvm::SmallVector<const llvm::Value*, 32> order_; ///< in which values became known
  llvm::DenseSet<const llvm::Value*> unlike_;       ///< phis that do not grow alike
  llvm::DenseMap<std::pair<unsigned, unsigned>, const llvm::Value*> queries_;
};

/// Whether an address comes from memory, as in `bins[data[i]]`: then lanes access unrelated places.
bool is_data_dependent(const llvm::Value& address);

} // namespace hostcl::compiler

#pragma once

// Interval analysis at run time: writes code that computes, at the kernel's beginning, the interval of a value over all
// work-items of a group, or of a launch:
//
//   4 * (group * size + local)     [4 * (group * size + 0), 4 * (group * size + size - 1)]
//
// Intervals are computed from the group's ids and sizes and the kernel's arguments. Induction variables are bounded by
// trip counts, and all other values by their type or by LLVM's analyses. If arithmetic wraps at run time, the interval
// is invalid (Interval::valid).
//
// Conditions that hold in the block in which a value is used (branch_conditions.hpp) narrow intervals:
//
//   local < n, n <= size / 2       local + n     [0, size / 2 - 1 + size / 2]
//   n <= local                     local - n     [0, size - 1]

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/checks/checked_arithmetic.hpp"
#include "compiler/values/branch_conditions.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>
#include <optional>

namespace hostcl::compiler {

/// All values from `low` to `high`, signed 64-bit integers, provided that `valid` (i1) is true; null stands for true.
struct Interval {
  llvm::Value* low = nullptr;
  llvm::Value* high = nullptr;
  llvm::Value* valid = nullptr;
};

/// The work-items whose values an interval contains.
enum class ItemsOf : std::uint8_t { group, launch };

/// Writes and caches intervals, for the values of one block if `orders` are given.
class Intervals {
public:
  /// @param builder writes at the kernel's beginning
  /// @param orders must hold wherever the values are used
  Intervals(llvm::ScalarEvolution& evolution, llvm::IRBuilder<>& builder, ItemsOf items = ItemsOf::group,
            llvm::SmallVector<Order, 4> orders = {})
      : evolution_(evolution), build_(builder), items_(items), orders_(std::move(orders)) {}

  /// The interval of an expression; nothing if no bounds are known.
  std::optional<Interval> of(const llvm::SCEV* expression);
  /// From 0 to the number of times that the loop is repeated; nothing if it is unknown.
  std::optional<Interval> iterations(const llvm::Loop& loop);
  /// The interval of a local or group id.
  Interval of_id(Intrinsic id, unsigned dimension);

private:
  using Combine = Interval (Intervals::*)(const Interval&, const Interval&);

  std::optional<Interval> compute(const llvm::SCEV* expression);
  std::optional<Interval> of_leaf(llvm::Value& leaf);
  std::optional<Interval> of_difference(const llvm::SCEV& sum);
  /// Combines the intervals of all operands. @param is_signed whether the operands are read as signed numbers
  std::optional<Interval> of_operands(const llvm::SCEV& expression, Combine combine, bool is_signed = true);
  std::optional<Interval> of_counter(const llvm::SCEVAddRecExpr& counter);
  std::optional<Interval> of_quotient(const llvm::SCEVUDivExpr& quotient);
  std::optional<Interval> of_choice(llvm::SelectInst& choice);
  std::optional<Interval> of_shrinking(llvm::PHINode& phi);
  std::optional<Interval> of_static_range(const llvm::SCEV* expression);
  std::optional<Interval> narrowed(const llvm::SCEV* expression, std::optional<Interval> found);
  /// From 0 to the largest value of an expression that is read as an unsigned number.
  std::optional<Interval> up_to(const llvm::SCEV* expression);

  Interval exactly(llvm::Value* value) { return {value, value}; }
  CheckedArithmetic arithmetic(const Interval& a, const Interval& b);
  Interval sum(const Interval& a, const Interval& b);
  Interval product(const Interval& a, const Interval& b);
  Interval smaller(const Interval& a, const Interval& b);
  Interval larger(const Interval& a, const Interval& b);
  /// The interval, valid only if all of it fits an integer of this many bits.
  std::optional<Interval> within(std::optional<Interval> interval, unsigned bits, bool is_signed = true);
  std::optional<Interval> not_negative(std::optional<Interval> interval) {
    return within(interval, 64, /*is_signed=*/false);
  }

  llvm::ScalarEvolution& evolution_;
  llvm::IRBuilder<>& build_;
  ItemsOf items_;
  const llvm::SmallVector<Order, 4> orders_;
  llvm::DenseMap<const llvm::SCEV*, std::optional<Interval>> known_;
};

} // namespace hostcl::compiler

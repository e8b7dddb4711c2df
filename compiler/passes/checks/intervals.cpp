#include "compiler/passes/checks/intervals.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/IR/Module.h"

#include <limits>

namespace hostcl::compiler {

using namespace llvm;

namespace {

using Found = std::optional<Interval>;

} // namespace

Found Intervals::of(const SCEV* expression) {
  auto [known, is_new] = known_.try_emplace(expression);
  if (!is_new) return known->second;
  Found found;
  if (expression->getType()->isIntegerTy() && expression->getType()->getIntegerBitWidth() <= 64) {
    found = compute(expression);
    if (!found) found = of_static_range(expression);
    found = narrowed(expression, found);
  }
  return known_[expression] = found;
}

Found Intervals::compute(const SCEV* expression) {
  constexpr unsigned few_bits = 16; // up to this width, the static range of an extension is narrow enough
  switch (expression->getSCEVType()) {
  case scConstant:
    return exactly(build_.getInt64(
        static_cast<std::uint64_t>(cast<SCEVConstant>(expression)->getAPInt().getSExtValue())));
  case scUnknown:
    return of_leaf(*cast<SCEVUnknown>(expression)->getValue());
  case scAddExpr:
    return of_sum(*cast<SCEVAddExpr>(expression));
  case scMulExpr:
    return of_product(*cast<SCEVMulExpr>(expression));
  case scAddRecExpr:
    return of_counter(*cast<SCEVAddRecExpr>(expression));
  case scUDivExpr:
    return of_quotient(*cast<SCEVUDivExpr>(expression));
  case scSMaxExpr:
  case scUMaxExpr:
  case scSMinExpr:
  case scUMinExpr:
    return of_extreme(*cast<SCEVMinMaxExpr>(expression));
  case scSignExtend:
    return of(cast<SCEVCastExpr>(expression)->getOperand());
  case scZeroExtend: {
    const SCEV* operand = cast<SCEVCastExpr>(expression)->getOperand();
    if (operand->getType()->getIntegerBitWidth() <= few_bits) return std::nullopt;
    Found found = of(operand);
    return found ? not_negative(*found) : found;
  }
  case scTruncate: {
    const SCEV* operand = cast<SCEVCastExpr>(expression)->getOperand();
    Found found = of(operand);
    return found ? within(*found, expression->getType()->getIntegerBitWidth()) : found;
  }
  default:
    return std::nullopt;
  }
}

Found Intervals::of_leaf(Value& leaf) {
  if (isa<Argument>(leaf)) return exactly(build_.CreateSExtOrTrunc(&leaf, build_.getInt64Ty()));
  if (auto* choice = dyn_cast<SelectInst>(&leaf)) return of_choice(*choice);
  if (auto* phi = dyn_cast<PHINode>(&leaf)) return of_shrinking(*phi);
  const auto intrinsic = called_intrinsic(leaf);
  if (!intrinsic) return std::nullopt;
  auto& call = cast<CallBase>(leaf);
  auto ask = [&](Intrinsic query) {
    return build_.CreateCall(declare_intrinsic(*call.getModule(), query), {call.getArgOperand(0)});
  };
  if (*intrinsic == Intrinsic::object_low || *intrinsic == Intrinsic::object_size)
    return exactly(ask(*intrinsic));
  if (!is_dimension_query(leaf)) return std::nullopt;
  auto last_of = [&](Intrinsic count) { return build_.CreateSub(ask(count), build_.getInt64(1)); };
  const bool of_launch = items_ == ItemsOf::launch;
  const Intrinsic local_size = of_launch ? Intrinsic::enqueued_local_size : Intrinsic::local_size;
  if (*intrinsic == Intrinsic::local_id) return Interval{build_.getInt64(0), last_of(local_size)};
  if (*intrinsic == Intrinsic::group_id && of_launch)
    return Interval{build_.getInt64(0), last_of(Intrinsic::group_count)};
  if (*intrinsic == Intrinsic::local_size && of_launch)
    return Interval{build_.getInt64(1), ask(Intrinsic::enqueued_local_size)};
  return exactly(ask(*intrinsic));
}

/// The interval of x, given x <u y, or x <=u y.
Found Intervals::below(const Order& order) {
  const Found bound = of(order.greater);
  if (!bound) return bound;
  Interval result = not_negative(*bound);
  result.low = build_.getInt64(0);
  if (!order.may_be_equal) result.high = build_.CreateSub(result.high, build_.getInt64(1));
  return result;
}

/// Narrows an interval by the orders. A valid interval never becomes invalid: a bound is used only if it is valid
/// itself.
Found Intervals::narrowed(const SCEV* expression, Found found) {
  for (const Order& order : orders_) {
    if (order.is_signed || order.less != expression) continue;
    const Found bound = below(order);
    if (!bound) continue;
    if (!found) {
      found = bound;
      continue;
    }
    Value* high = extreme(llvm::Intrinsic::smin, found->high, bound->high);
    found->high = bound->valid ? build_.CreateSelect(bound->valid, high, found->high) : high;
  }
  return found;
}

/// The interval of y - x, given x <=u y: [0, y].
Found Intervals::of_difference(const SCEVAddExpr& sum_of) {
  if (sum_of.getNumOperands() != 2) return std::nullopt;
  for (const Order& order : orders_) {
    if (order.is_signed || evolution_.getMinusSCEV(order.greater, order.less) != &sum_of) continue;
    const Found most = of(order.greater);
    if (!most) continue;
    Interval result = not_negative(*most);
    result.low = build_.getInt64(0);
    return result;
  }
  return std::nullopt;
}

Found Intervals::of_sum(const SCEVAddExpr& sum_of) {
  if (const Found difference = of_difference(sum_of)) return difference;
  Interval total = exactly(build_.getInt64(0));
  for (const SCEV* operand : sum_of.operands()) {
    const Found part = of(operand);
    if (!part) return std::nullopt;
    total = sum(total, *part);
  }
  return within(total, sum_of.getType()->getIntegerBitWidth());
}

Found Intervals::of_product(const SCEVMulExpr& product_of) {
  Interval total = exactly(build_.getInt64(1));
  for (const SCEV* operand : product_of.operands()) {
    const Found part = of(operand);
    if (!part) return std::nullopt;
    total = product(total, *part);
  }
  return within(total, product_of.getType()->getIntegerBitWidth());
}

Found Intervals::of_counter(const SCEVAddRecExpr& counter) {
  if (!counter.isAffine()) return std::nullopt;
  const SCEV* iterations = evolution_.getSymbolicMaxBackedgeTakenCount(counter.getLoop());
  if (isa<SCEVCouldNotCompute>(iterations)) return std::nullopt;
  const Found start = of(counter.getStart()), step = of(counter.getStepRecurrence(evolution_)),
              last = of(iterations);
  if (!start || !step || !last) return std::nullopt;
  Interval iteration = not_negative(*last); // the trip count is unsigned
  iteration.low = build_.getInt64(0);
  return within(sum(*start, product(*step, iteration)), counter.getType()->getIntegerBitWidth());
}

Found Intervals::of_quotient(const SCEVUDivExpr& quotient) {
  const auto* divisor = dyn_cast<SCEVConstant>(quotient.getRHS());
  const Found dividend = of(quotient.getLHS());
  if (!divisor || !dividend || !divisor->getAPInt().isStrictlyPositive()) return std::nullopt;
  Interval result = not_negative(*dividend);
  Value* by = build_.getInt64(divisor->getAPInt().getZExtValue());
  result.low = build_.CreateUDiv(result.low, by);
  result.high = build_.CreateUDiv(result.high, by);
  return result;
}

Found Intervals::of_extreme(const SCEVMinMaxExpr& extreme_of) {
  const bool is_signed = isa<SCEVSMaxExpr, SCEVSMinExpr>(extreme_of);
  const auto operation =
      isa<SCEVSMaxExpr, SCEVUMaxExpr>(extreme_of) ? llvm::Intrinsic::smax : llvm::Intrinsic::smin;
  Found total;
  for (const SCEV* operand : extreme_of.operands()) {
    Found part = of(operand);
    if (!part) return std::nullopt;
    if (!is_signed) part = not_negative(*part);
    total = !total ? *part
                   : Interval{extreme(operation, total->low, part->low),
                              extreme(operation, total->high, part->high), both(total->valid, part->valid)};
  }
  return total;
}

Found Intervals::of_choice(SelectInst& choice) {
  const Found yes = of(evolution_.getSCEV(choice.getTrueValue())),
              no = of(evolution_.getSCEV(choice.getFalseValue()));
  if (!yes || !no) return std::nullopt;
  return Interval{extreme(llvm::Intrinsic::smin, yes->low, no->low),
                  extreme(llvm::Intrinsic::smax, yes->high, no->high), both(yes->valid, no->valid)};
}

/// The interval of an induction variable that a loop halves or divides: [0, start].
Found Intervals::of_shrinking(PHINode& phi) {
  if (phi.getNumIncomingValues() != 2) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    const auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValue(i));
    const bool shrinks = next && next->getOperand(0) == &phi &&
                         (next->getOpcode() == Instruction::LShr || next->getOpcode() == Instruction::UDiv);
    if (!shrinks) continue;
    const Found start = of(evolution_.getSCEV(phi.getIncomingValue(1 - i)));
    if (!start) return std::nullopt;
    Interval result = not_negative(*start);
    result.low = build_.getInt64(0);
    return result;
  }
  return std::nullopt;
}

Found Intervals::of_static_range(const SCEV* expression) {
  constexpr std::uint64_t most_values = 1 << 16; // larger ranges seldom fit into an object
  const ConstantRange range = evolution_.getSignedRange(expression);
  if (range.isEmptySet() || range.isSizeLargerThan(most_values)) return std::nullopt;
  auto number = [&](const APInt& value) {
    return build_.getInt64(static_cast<std::uint64_t>(value.getSExtValue()));
  };
  return Interval{number(range.getSignedMin()), number(range.getSignedMax())};
}

Interval Intervals::sum(const Interval& a, const Interval& b) {
  Interval result{.valid = both(a.valid, b.valid)};
  result.low = checked(llvm::Intrinsic::sadd_with_overflow, a.low, b.low, result.valid);
  result.high = a.low == a.high && b.low == b.high
                    ? result.low
                    : checked(llvm::Intrinsic::sadd_with_overflow, a.high, b.high, result.valid);
  return result;
}

Interval Intervals::product(const Interval& a, const Interval& b) {
  Interval result{.valid = both(a.valid, b.valid)};
  auto times = [&](Value* x, Value* y) {
    Value* value = checked(llvm::Intrinsic::smul_with_overflow, x, y, result.valid);
    result.low = result.low ? extreme(llvm::Intrinsic::smin, result.low, value) : value;
    result.high = result.high ? extreme(llvm::Intrinsic::smax, result.high, value) : value;
  };
  times(a.low, b.low);
  if (b.low != b.high) times(a.low, b.high);
  if (a.low != a.high) times(a.high, b.low);
  if (a.low != a.high && b.low != b.high) times(a.high, b.high);
  return result;
}

Interval Intervals::within(Interval interval, unsigned bits) {
  if (bits >= 64) return interval;
  const std::int64_t most = (std::int64_t{1} << (bits - 1)) - 1;
  Value* above = build_.CreateICmpSGE(interval.low, ConstantInt::getSigned(build_.getInt64Ty(), -most - 1));
  Value* below = build_.CreateICmpSLE(interval.high, ConstantInt::getSigned(build_.getInt64Ty(), most));
  interval.valid = both(both(interval.valid, above), below);
  return interval;
}

Interval Intervals::not_negative(Interval interval) {
  interval.valid = both(interval.valid, build_.CreateICmpSGE(interval.low, build_.getInt64(0)));
  return interval;
}

Interval Intervals::exactly(Value* value) {
  return {value, value};
}

Value* Intervals::both(Value* a, Value* b) {
  if (!a || !b) return a ? a : b;
  return build_.CreateAnd(a, b);
}

Value* Intervals::checked(llvm::Intrinsic::ID operation, Value* a, Value* b, Value*& valid) {
  Value* pair = build_.CreateBinaryIntrinsic(operation, a, b);
  valid = both(valid, build_.CreateNot(build_.CreateExtractValue(pair, 1)));
  return build_.CreateExtractValue(pair, 0);
}

Value* Intervals::extreme(llvm::Intrinsic::ID operation, Value* a, Value* b) {
  return a == b ? a : build_.CreateBinaryIntrinsic(operation, a, b);
}

} // namespace hostcl::compiler

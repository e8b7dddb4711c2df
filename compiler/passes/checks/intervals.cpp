#include "compiler/passes/checks/intervals.hpp"

#include "compiler/passes/checks/calls.hpp"

namespace hostcl::compiler {

using namespace llvm;

using Found = std::optional<Interval>;

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
  const unsigned bits = expression->getType()->getIntegerBitWidth();
  auto operand = [&] { return expression->operands().front(); };
  switch (expression->getSCEVType()) {
  case scConstant:
    return exactly(ConstantInt::getSigned(build_.getInt64Ty(),
                                          cast<SCEVConstant>(expression)->getAPInt().getSExtValue()));
  case scUnknown:
    return of_leaf(*cast<SCEVUnknown>(expression)->getValue());
  case scAddExpr:
    if (const Found difference = of_difference(*expression)) return difference;
    return within(of_operands(*expression, &Intervals::sum), bits);
  case scMulExpr:
    return within(of_operands(*expression, &Intervals::product), bits);
  case scAddRecExpr:
    return within(of_counter(*cast<SCEVAddRecExpr>(expression)), bits);
  case scUDivExpr:
    return of_quotient(*cast<SCEVUDivExpr>(expression));
  case scSMaxExpr:
  case scUMaxExpr:
    return of_operands(*expression, &Intervals::larger, expression->getSCEVType() == scSMaxExpr);
  case scSMinExpr:
  case scUMinExpr:
    return of_operands(*expression, &Intervals::smaller, expression->getSCEVType() == scSMinExpr);
  case scSignExtend:
    return of(operand());
  case scZeroExtend:
    if (operand()->getType()->getIntegerBitWidth() <= few_bits) return std::nullopt;
    return not_negative(of(operand()));
  case scTruncate:
    return within(of(operand()), bits);
  default:
    return std::nullopt;
  }
}

Interval Intervals::of_id(Intrinsic id, unsigned dimension) {
  const bool of_launch = items_ == ItemsOf::launch, is_group = id == Intrinsic::group_id;
  if (is_group && !of_launch) return exactly(call_intrinsic(build_, id, dimension));
  const Intrinsic count = is_group    ? Intrinsic::group_count
                          : of_launch ? Intrinsic::enqueued_local_size
                                      : Intrinsic::local_size;
  return {build_.getInt64(0), build_.CreateSub(call_intrinsic(build_, count, dimension), build_.getInt64(1))};
}

Found Intervals::of_leaf(Value& leaf) {
  if (isa<Argument>(leaf)) return exactly(build_.CreateSExtOrTrunc(&leaf, build_.getInt64Ty()));
  if (auto* choice = dyn_cast<SelectInst>(&leaf)) return of_choice(*choice);
  if (auto* phi = dyn_cast<PHINode>(&leaf)) return of_shrinking(*phi);
  const auto intrinsic = called_intrinsic(leaf);
  if (!intrinsic) return std::nullopt;
  const bool is_of_object = intrinsic == Intrinsic::object_low || intrinsic == Intrinsic::object_size;
  if (!is_of_object && !is_dimension_query(leaf)) return std::nullopt;
  const unsigned number =
      dimension_of(cast<CallBase>(leaf)); // of other intrinsics: the number of an argument
  if (intrinsic == Intrinsic::local_id || intrinsic == Intrinsic::group_id) return of_id(*intrinsic, number);
  if (intrinsic == Intrinsic::local_size && items_ == ItemsOf::launch)
    return Interval{build_.getInt64(1), call_intrinsic(build_, Intrinsic::enqueued_local_size, number)};
  return exactly(call_intrinsic(build_, *intrinsic, number));
}

Found Intervals::up_to(const SCEV* expression) {
  Found found = not_negative(of(expression));
  if (found) found->low = build_.getInt64(0);
  return found;
}

/// Narrows an interval by the orders x <u y, or x <=u y. A valid interval never becomes invalid: a bound is used only
/// if it is valid itself.
Found Intervals::narrowed(const SCEV* expression, Found found) {
  for (const Order& order : orders_) {
    if (order.is_signed || order.less != expression) continue;
    Found bound = up_to(order.greater);
    if (!bound) continue;
    if (!order.may_be_equal) bound->high = build_.CreateSub(bound->high, build_.getInt64(1));
    if (!found) {
      found = bound;
      continue;
    }
    Value* high = CheckedArithmetic(build_).least(found->high, bound->high);
    found->high = bound->valid ? build_.CreateSelect(bound->valid, high, found->high) : high;
  }
  return found;
}

/// The interval of y - x, given x <=u y: [0, y].
Found Intervals::of_difference(const SCEV& sum) {
  if (sum.operands().size() != 2) return std::nullopt;
  for (const Order& order : orders_)
    if (!order.is_signed && evolution_.getMinusSCEV(order.greater, order.less) == &sum)
      if (const Found found = up_to(order.greater)) return found;
  return std::nullopt;
}

Found Intervals::of_operands(const SCEV& expression, Combine combine, bool is_signed) {
  Found total;
  for (const SCEV* operand : expression.operands()) {
    const Found part = is_signed ? of(operand) : not_negative(of(operand));
    if (!part) return std::nullopt;
    total = total ? (this->*combine)(*total, *part) : part;
  }
  return total;
}

Found Intervals::iterations(const Loop& loop) {
  const SCEV* count = evolution_.getSymbolicMaxBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(count)) return std::nullopt;
  return up_to(count); // the trip count is unsigned
}

Found Intervals::of_counter(const SCEVAddRecExpr& counter) {
  if (!counter.isAffine()) return std::nullopt;
  const Found start = of(counter.getStart()), step = of(counter.getStepRecurrence(evolution_)),
              iteration = iterations(*counter.getLoop());
  if (!start || !step || !iteration) return std::nullopt;
  return sum(*start, product(*step, *iteration));
}

Found Intervals::of_quotient(const SCEVUDivExpr& quotient) {
  const auto* divisor = dyn_cast<SCEVConstant>(quotient.getRHS());
  Found result = not_negative(of(quotient.getLHS()));
  if (!divisor || !result || !divisor->getAPInt().isStrictlyPositive()) return std::nullopt;
  Value* by = build_.getInt64(divisor->getAPInt().getZExtValue());
  result->low = build_.CreateUDiv(result->low, by);
  result->high = build_.CreateUDiv(result->high, by);
  return result;
}

Found Intervals::of_choice(SelectInst& choice) {
  const Found yes = of(evolution_.getSCEV(choice.getTrueValue())),
              no = of(evolution_.getSCEV(choice.getFalseValue()));
  if (!yes || !no) return std::nullopt;
  CheckedArithmetic exact = arithmetic(*yes, *no);
  return Interval{exact.least(yes->low, no->low), exact.greatest(yes->high, no->high), exact.holds()};
}

/// The interval of an induction variable that a loop halves or divides: [0, start].
Found Intervals::of_shrinking(PHINode& phi) {
  if (phi.getNumIncomingValues() != 2) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    const auto* next = dyn_cast<BinaryOperator>(phi.getIncomingValue(i));
    if (next && next->getOperand(0) == &phi &&
        (next->getOpcode() == Instruction::LShr || next->getOpcode() == Instruction::UDiv))
      return up_to(evolution_.getSCEV(phi.getIncomingValue(1 - i)));
  }
  return std::nullopt;
}

Found Intervals::of_static_range(const SCEV* expression) {
  constexpr std::uint64_t most_values = 1 << 16; // larger ranges seldom fit into an object
  const ConstantRange range = evolution_.getSignedRange(expression);
  if (range.isEmptySet() || range.isSizeLargerThan(most_values)) return std::nullopt;
  auto number = [&](const APInt& value) {
    return ConstantInt::getSigned(build_.getInt64Ty(), value.getSExtValue());
  };
  return Interval{number(range.getSignedMin()), number(range.getSignedMax())};
}

CheckedArithmetic Intervals::arithmetic(const Interval& a, const Interval& b) {
  CheckedArithmetic result(build_, a.valid);
  result.require(b.valid);
  return result;
}

Interval Intervals::sum(const Interval& a, const Interval& b) {
  CheckedArithmetic exact = arithmetic(a, b);
  Value* low = exact.add(a.low, b.low);
  Value* high = a.low == a.high && b.low == b.high ? low : exact.add(a.high, b.high);
  return {low, high, exact.holds()};
}

Interval Intervals::product(const Interval& a, const Interval& b) {
  CheckedArithmetic exact = arithmetic(a, b);
  Value *low = exact.multiply(a.low, b.low), *high = low;
  auto include = [&](Value* x, Value* y) {
    Value* value = exact.multiply(x, y);
    low = exact.least(low, value);
    high = exact.greatest(high, value);
  };
  if (b.low != b.high) include(a.low, b.high);
  if (a.low != a.high) include(a.high, b.low);
  if (a.low != a.high && b.low != b.high) include(a.high, b.high);
  return {low, high, exact.holds()};
}

Interval Intervals::smaller(const Interval& a, const Interval& b) {
  CheckedArithmetic exact = arithmetic(a, b);
  return {exact.least(a.low, b.low), exact.least(a.high, b.high), exact.holds()};
}

Interval Intervals::larger(const Interval& a, const Interval& b) {
  CheckedArithmetic exact = arithmetic(a, b);
  return {exact.greatest(a.low, b.low), exact.greatest(a.high, b.high), exact.holds()};
}

Found Intervals::within(Found interval, unsigned bits, bool is_signed) {
  if (!interval) return interval;
  CheckedArithmetic exact(build_, interval->valid);
  exact.require_fits(interval->low, interval->high, bits, is_signed);
  interval->valid = exact.holds();
  return interval;
}

} // namespace hostcl::compiler

#include "compiler/values/formulas.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/PatternMatch.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

using Kind = FormulaStep::Kind;

constexpr unsigned most_depth = 24;
constexpr std::size_t most_steps = 200;

/// The step for a query of a size or an id; nothing for other values.
std::optional<FormulaStep> query(const Value& value) {
  if (!is_dimension_query(value)) return std::nullopt;
  const unsigned dimension = dimension_of(cast<CallBase>(value));
  const auto size = [&](FormulaStep::Size which) { return FormulaStep{Kind::size, 3 * which + dimension}; };
  switch (*called_intrinsic(value)) {
  case Intrinsic::local_id:
    return FormulaStep{Kind::local_id, dimension};
  case Intrinsic::group_id:
    return FormulaStep{Kind::group_id, dimension};
  case Intrinsic::local_size:
  case Intrinsic::enqueued_local_size:
    return size(FormulaStep::local_size);
  case Intrinsic::global_size:
    return size(FormulaStep::global_size);
  case Intrinsic::global_offset:
    return size(FormulaStep::global_offset);
  case Intrinsic::group_count:
    return size(FormulaStep::group_count);
  default:
    return std::nullopt;
  }
}

} // namespace

Formula combined(Formula left, Kind kind, const Formula& right) {
  const auto is_unknown = [](const FormulaStep& step) { return step.kind == Kind::unknown; };
  if (any_of(left, is_unknown) || any_of(right, is_unknown) || left.size() + right.size() >= most_steps)
    return unknown_formula();
  append_range(left, right);
  left.push_back({kind, 0});
  return left;
}

Formula Formulas::of(const Value& value, unsigned depth) {
  return of(*evolution_.getSCEV(const_cast<Value*>(&value)), depth);
}

Formula Formulas::of(const SCEV& expression, unsigned depth) {
  if (depth > most_depth) return unknown_formula();
  const auto all = [&](Kind kind) {
    Formula formula = of(*expression.operands()[0], depth + 1);
    for (const SCEV* operand : drop_begin(expression.operands())) {
      if (formula == unknown_formula())
        break; // large expressions share operands, whose number doubles with each level
      formula = combined(std::move(formula), kind, of(*operand, depth + 1));
    }
    return formula;
  };
  switch (expression.getSCEVType()) {
  case scConstant: {
    const APInt& bits = cast<SCEVConstant>(expression).getAPInt();
    return {{Kind::constant, bits.getSignificantBits() <= 64 ? bits.getSExtValue() : 0}};
  }
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt:
    return of(*expression.operands()[0], depth + 1);
  case scAddExpr:
    return all(Kind::add);
  case scMulExpr:
    return all(Kind::multiply);
  case scUDivExpr:
    return all(Kind::divide);
  case scUMaxExpr:
  case scSMaxExpr:
    return all(Kind::largest);
  case scUMinExpr:
  case scSMinExpr:
  case scSequentialUMinExpr:
    return all(Kind::smallest);
  case scAddRecExpr: {
    const auto& counter = cast<SCEVAddRecExpr>(expression);
    const auto number = numbers_.find(counter.getLoop());
    if (!counter.isAffine() || number == numbers_.end()) return unknown_formula();
    return combined(of(*counter.getStart(), depth + 1), Kind::add,
                    combined(of(*counter.getStepRecurrence(evolution_), depth + 1), Kind::multiply,
                             {{Kind::iteration, number->second}}));
  }
  case scUnknown:
    return of_unknown(*cast<SCEVUnknown>(expression).getValue(), depth);
  default:
    return unknown_formula();
  }
}

Formula Formulas::of_unknown(const Value& value, unsigned depth) {
  using namespace PatternMatch;
  if (const auto* argument = dyn_cast<Argument>(&value); argument && argument->getType()->isIntegerTy())
    return {{Kind::argument, argument->getArgNo()}};
  if (const auto step = query(value)) return {*step};
  const Value *left = nullptr, *right = nullptr;
  const APInt* bits = nullptr;
  if (match(&value, m_SDiv(m_Value(left), m_Value(right))))
    return combined(of(*left, depth + 1), Kind::divide, of(*right, depth + 1));
  if (match(&value, m_AShr(m_Value(left), m_APInt(bits))) && bits->ult(62))
    return combined(of(*left, depth + 1), Kind::divide,
                    {{Kind::constant, std::int64_t{1} << bits->getZExtValue()}});
  return unknown_formula();
}

} // namespace hostcl::compiler

#include "compiler/values/formulas.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

using Kind = FormulaStep::Kind;

constexpr unsigned most_depth = 24;
constexpr std::size_t most_steps = 200;

std::optional<Kind> kind_of(SCEVTypes type) {
  switch (type) {
  case scAddExpr:
    return Kind::add;
  case scMulExpr:
    return Kind::multiply;
  case scUDivExpr:
    return Kind::divide;
  case scUMaxExpr:
  case scSMaxExpr:
    return Kind::largest;
  case scUMinExpr:
  case scSMinExpr:
  case scSequentialUMinExpr:
    return Kind::smallest;
  default:
    return std::nullopt;
  }
}

/// The step for a query of a size or an id; nothing for other values.
std::optional<FormulaStep> query(const Value& value) {
  const std::optional<Intrinsic> intrinsic = called_intrinsic(value);
  if (!intrinsic || !is_dimension_query(value)) return std::nullopt;
  const unsigned dimension = dimension_of(cast<CallBase>(value));
  const auto size = [&](FormulaStep::Size which) { return FormulaStep{Kind::size, 3 * which + dimension}; };
  switch (*intrinsic) {
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

bool is_known(const Formula& formula) {
  return none_of(formula, [](const FormulaStep& step) { return step.kind == Kind::unknown; });
}

Formula Formulas::of(const SCEV& expression) {
  Formula formula;
  append(formula, expression, 0);
  if (!is_known(formula) || formula.size() > most_steps) formula = {{Kind::unknown, 0}};
  return formula;
}

Formula Formulas::of(const Value& value) {
  return of(*evolution_.getSCEV(const_cast<Value*>(&value)));
}

void Formulas::append(Formula& formula, const SCEV& expression, unsigned depth) {
  if (depth > most_depth || formula.size() > most_steps) {
    formula.push_back({});
    return;
  }
  if (const auto* number = dyn_cast<SCEVConstant>(&expression)) {
    const APInt& bits = number->getAPInt();
    formula.push_back({Kind::constant, bits.getSignificantBits() <= 64 ? bits.getSExtValue() : 0});
  } else if (const auto* cast = dyn_cast<SCEVCastExpr>(&expression)) {
    append(formula, *cast->getOperand(), depth + 1);
  } else if (const auto* unknown = dyn_cast<SCEVUnknown>(&expression)) {
    append(formula, *unknown->getValue(), depth + 1);
  } else if (const auto* counter = dyn_cast<SCEVAddRecExpr>(&expression); counter && counter->isAffine()) {
    const auto number = numbers_.find(counter->getLoop());
    append(formula, *counter->getStart(), depth + 1);
    append(formula, *counter->getStepRecurrence(evolution_), depth + 1);
    formula.push_back(number == numbers_.end() ? FormulaStep()
                                               : FormulaStep{Kind::iteration, number->second});
    formula.push_back({Kind::multiply, 0});
    formula.push_back({Kind::add, 0});
  } else if (const auto kind = kind_of(expression.getSCEVType())) {
    bool is_first = true;
    for (const SCEV* operand : expression.operands()) {
      append(formula, *operand, depth + 1);
      if (!std::exchange(is_first, false)) formula.push_back({*kind, 0});
    }
  } else {
    formula.push_back({});
  }
}

void Formulas::append(Formula& formula, const Value& value, unsigned depth) {
  if (const auto* argument = dyn_cast<Argument>(&value); argument && argument->getType()->isIntegerTy())
    formula.push_back({Kind::argument, argument->getArgNo()});
  else if (const auto step = query(value))
    formula.push_back(*step);
  else if (const auto* operation = dyn_cast<BinaryOperator>(&value))
    append_operation(formula, *operation, depth);
  else
    formula.push_back({});
}

/// Appends an operation that ScalarEvolution does not analyse: divisions and right shifts.
void Formulas::append_operation(Formula& formula, const Instruction& operation, unsigned depth) {
  const auto* bits = dyn_cast<ConstantInt>(operation.getOperand(1));
  const unsigned opcode = operation.getOpcode();
  const auto append_operand = [&](unsigned i) {
    append(formula, *evolution_.getSCEV(operation.getOperand(i)), depth + 1);
  };
  if (opcode == Instruction::SDiv || opcode == Instruction::UDiv) {
    append_operand(0);
    append_operand(1);
    formula.push_back({Kind::divide, 0});
  } else if ((opcode == Instruction::AShr || opcode == Instruction::LShr) && bits &&
             bits->getValue().ult(62)) {
    append_operand(0);
    formula.push_back({Kind::constant, std::int64_t{1} << bits->getZExtValue()});
    formula.push_back({Kind::divide, 0});
  } else {
    formula.push_back({});
  }
}

} // namespace hostcl::compiler

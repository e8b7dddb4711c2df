#include "compiler/passes/2_vector/control/exclusions.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// The condition that a value equals one of some constants.
struct Equality {
  Value* value = nullptr;
  SmallVector<Constant*, 2> numbers;
};

/// Parses a condition of the form `v == 1 || v == 2 || ...`; the result has no value if the condition has another form.
Equality match_equality(Value* condition) {
  Equality found;
  for (Value* left = condition; left;) {
    Value *last = left, *value;
    if (!match(last, m_Or(m_Value(left), m_Value(last)))) left = nullptr;
    Constant* constant;
    if (!match(last, m_SpecificICmp(ICmpInst::ICMP_EQ, m_Value(value), m_Constant(constant))) ||
        !isa_and_nonnull<ConstantInt>(constant->getSplatValue()) || (found.value && found.value != value))
      return {};
    found.value = value;
    found.numbers.push_back(constant);
  }
  return found;
}

} // namespace

void Exclusions::visit(Instruction& instruction) {
  Value *mask, *condition, *hit;
  if (!match(&instruction, m_Select(m_Value(mask), m_Value(condition), m_Zero()))) return;
  const bool excludes = match(condition, m_Not(m_Value(hit)));
  const Equality equality = match_equality(excludes ? hit : condition);
  if (!equality.value) return;
  Rest rest = rests_.lookup(mask);
  if (rest.value != equality.value) rest = {mask, equality.value, 0};
  Places& places = places_[{rest.whole, rest.value}];
  if (excludes) {
    for (Constant* number : equality.numbers)
      rest.excluded = std::max(rest.excluded, places.try_emplace(number, places.size()).first->second + 1);
    rests_[&instruction] = rest;
    return;
  }
  for (Constant* number : equality.numbers)
    if (auto place = places.find(number); place != places.end() && place->second < rest.excluded) return;
  instruction.setOperand(0, rest.whole);
}

} // namespace hostcl::compiler

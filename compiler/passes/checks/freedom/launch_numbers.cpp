#include "compiler/passes/checks/freedom/launch_numbers.hpp"

#include "compiler/passes/checks/calls.hpp"

#include "llvm/Analysis/LoopInfo.h"

namespace hostcl::compiler {

using namespace llvm;

Value* LaunchNumbers::of(const LinearForm& form) {
  Value* total = build_.getInt64(0);
  for (const Term& term : form.terms) {
    Value* part = ConstantInt::getSigned(build_.getInt64Ty(), term.factor);
    for (const Value* leaf : term.leaves)
      part = multiply(part, of_leaf(*leaf));
    total = add(total, part);
  }
  return total;
}

Value* LaunchNumbers::of_leaf(const Value& leaf) {
  if (Value* known = leaves_.lookup(&leaf)) return known;
  Value* value;
  if (isa<Argument>(leaf)) {
    value = build_.CreateSExtOrTrunc(const_cast<Value*>(&leaf), build_.getInt64Ty());
  } else if (const auto field = field_of_argument(leaf)) {
    Value* address = build_.CreateConstInBoundsGEP1_64(build_.getInt8Ty(),
                                                       const_cast<Argument*>(field->argument), field->offset);
    value = build_.CreateSExtOrTrunc(build_.CreateLoad(leaf.getType(), address), build_.getInt64Ty());
  } else if (isa<SExtInst, ZExtInst>(leaf)) {
    SmallVector<Narrow, 4> conditions;
    const Use& narrow = cast<Instruction>(leaf).getOperandUse(0);
    const auto form = forms_.of(narrow, conditions);
    for (const Narrow& condition : conditions)
      require(condition);
    if (!form) report_fatal_error("a number of the launch has no form");
    value = of(form->rest);
    require_fits(value, value, narrow->getType()->getIntegerBitWidth(), isa<SExtInst>(leaf));
  } else {
    const unsigned dimension = dimension_of(cast<CallBase>(leaf));
    const bool is_local_size = is_call_of(leaf, Intrinsic::local_size);
    value = call_intrinsic(build_, is_local_size ? Intrinsic::enqueued_local_size : *called_intrinsic(leaf),
                           dimension);
    if (is_local_size) // The last group of a dimension may be smaller. The condition excludes such launches.
      require(build_.CreateIsNull(
          build_.CreateURem(call_intrinsic(build_, Intrinsic::global_size, dimension), value)));
  }
  return leaves_[&leaf] = value;
}

Value* LaunchNumbers::last_of(const Value& variable) {
  if (Value* known = lasts_.lookup(&variable)) return known;
  Value* last = nullptr;
  const auto* phi = dyn_cast<PHINode>(&variable);
  if (is_item_id(variable)) {
    last = last_id(*called_intrinsic(variable), dimension_of(cast<CallBase>(variable)));
  } else if (const Loop* loop = phi ? forms_.loop_of(*phi) : nullptr) {
    const auto iterations = intervals_.iterations(*loop);
    if (!iterations) return nullptr;
    require(iterations->valid);
    last = iterations->high;
  } else if (const auto bound = LaunchForms::bound_of(variable)) {
    last = build_.getInt64(*bound - 1);
  }
  return lasts_[&variable] = last;
}

bool LaunchNumbers::require(const Narrow& narrow) {
  Value *low = of(narrow.sum.rest), *high = low, *none = build_.getInt64(0);
  for (const LaunchTerm& term : narrow.sum.terms) {
    Value* last = last_of(*term.variable);
    if (!last) return false;
    if (isa<PHINode>(term.variable))
      last = add(last, build_.getInt64(1)); // the variable is incremented once more before the loop ends
    Value* way = multiply(of(term.stride), last);
    low = add(low, least(way, none));
    high = add(high, greatest(way, none));
  }
  require_fits(low, high, narrow.bits, narrow.is_signed);
  return true;
}

} // namespace hostcl::compiler

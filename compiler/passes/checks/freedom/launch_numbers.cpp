#include "compiler/passes/checks/freedom/launch_numbers.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

Value* LaunchNumbers::checked(llvm::Intrinsic::ID operation, Value* a, Value* b) {
  const auto *left = dyn_cast<ConstantInt>(a), *right = dyn_cast<ConstantInt>(b);
  if (left && right) { // the most frequent case
    bool overflows = false;
    const APInt result = operation == llvm::Intrinsic::sadd_with_overflow
                             ? left->getValue().sadd_ov(right->getValue(), overflows)
                             : left->getValue().smul_ov(right->getValue(), overflows);
    if (overflows) require(build_.getFalse());
    return build_.getInt(result);
  }
  Value* pair = build_.CreateBinaryIntrinsic(operation, a, b);
  require(build_.CreateNot(build_.CreateExtractValue(pair, 1)));
  return build_.CreateExtractValue(pair, 0);
}

Value* LaunchNumbers::extreme(llvm::Intrinsic::ID operation, Value* a, Value* b) {
  return a == b ? a : build_.CreateBinaryIntrinsic(operation, a, b);
}

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

Value* LaunchNumbers::ask(const Value& query) {
  const auto& call = cast<CallBase>(query);
  auto* function = cast<Function>(call.getCalledOperand());
  // The last group of a dimension may be smaller. The condition excludes such launches.
  if (is_call_of(query, Intrinsic::local_size)) {
    auto ask = [&](Intrinsic id) {
      return build_.CreateCall(declare_intrinsic(*function->getParent(), id),
                               {build_.getInt32(dimension_of(call))});
    };
    Value* size = ask(Intrinsic::enqueued_local_size);
    require(build_.CreateIsNull(build_.CreateURem(ask(Intrinsic::global_size), size)));
    return size;
  }
  return build_.CreateCall(function, SmallVector<Value*, 1>(call.args()));
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
    require_range(value, value, narrow->getType()->getIntegerBitWidth(), isa<SExtInst>(leaf));
  } else {
    value = build_.CreateZExtOrTrunc(ask(leaf), build_.getInt64Ty());
  }
  return leaves_[&leaf] = value;
}

Value* LaunchNumbers::last_of(const Value& variable) {
  if (Value* known = lasts_.lookup(&variable)) return known;
  Value* last = nullptr;
  if (is_item_id(variable)) {
    const auto& call = cast<CallBase>(variable);
    const Intrinsic count =
        is_call_of(variable, Intrinsic::local_id) ? Intrinsic::enqueued_local_size : Intrinsic::group_count;
    last = build_.CreateSub(build_.CreateCall(declare_intrinsic(*build_.GetInsertBlock()->getModule(), count),
                                              {build_.getInt32(dimension_of(call))}),
                            build_.getInt64(1));
  } else if (const auto* phi = dyn_cast<PHINode>(&variable); phi && forms_.loop_of(*phi)) {
    const SCEV* iterations = evolution_.getSymbolicMaxBackedgeTakenCount(forms_.loop_of(*phi));
    const auto count = isa<SCEVCouldNotCompute>(iterations) ? std::nullopt : intervals_.of(iterations);
    if (!count) return nullptr;
    if (count->valid) require(count->valid);
    require(build_.CreateICmpSGE(count->low, build_.getInt64(0))); // the trip count is unsigned
    last = count->high;
  } else if (const auto bound = LaunchForms::bound_of(variable)) {
    last = build_.getInt64(*bound - 1);
  }
  return lasts_[&variable] = last;
}

void LaunchNumbers::require_range(Value* low, Value* high, unsigned bits, bool is_signed) {
  const std::uint64_t most = maxUIntN(is_signed ? bits - 1 : bits);
  if (bits >= 64)
    return require(is_signed ? build_.getTrue() : build_.CreateICmpSGE(low, build_.getInt64(0)));
  Value* lowest = is_signed ? build_.getInt64(~most) : build_.getInt64(0);
  require(build_.CreateICmpSGE(low, lowest));
  require(build_.CreateICmpSLE(high, build_.getInt64(most)));
}

bool LaunchNumbers::require(const Narrow& narrow) {
  Value *low = of(narrow.sum.rest), *high = low;
  for (const LaunchTerm& term : narrow.sum.terms) {
    Value* last = last_of(*term.variable);
    if (!last) return false;
    if (isa<PHINode>(term.variable))
      last = add(last, build_.getInt64(1)); // the variable is incremented once more before the loop ends
    Value *way = multiply(of(term.stride), last), *none = build_.getInt64(0);
    low = add(low, least(way, none));
    high = add(high, greatest(way, none));
  }
  require_range(low, high, narrow.bits, narrow.is_signed);
  return true;
}

} // namespace hostcl::compiler

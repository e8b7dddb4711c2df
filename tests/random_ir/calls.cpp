// Instructions of random IR that are calls, or that order memory.

#include "instructions.hpp"

#include "compiler/ir/intrinsics.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"

namespace random_ir {

using namespace llvm;

Value* Instructions::write_integer_call() {
  Type* type = odd_.integers();
  constexpr Intrinsic::ID two[] = {Intrinsic::smin,     Intrinsic::smax,     Intrinsic::umin,
                                   Intrinsic::umax,     Intrinsic::sadd_sat, Intrinsic::usub_sat,
                                   Intrinsic::sshl_sat, Intrinsic::ushl_sat};
  switch (random_.below(6)) {
  case 0:
    return build_.CreateIntrinsic(random_.one_in(2) ? Intrinsic::fshl : Intrinsic::fshr, {type},
                                  {any(type), any(type), any(type)});
  case 1:
    return build_.CreateIntrinsic(random_.one_in(2) ? Intrinsic::ctlz : Intrinsic::cttz, {type},
                                  {any(type), build_.getInt1(random_.one_in(2))});
  case 2:
    return build_.CreateIntrinsic(random_.one_in(2) ? Intrinsic::ctpop : Intrinsic::bitreverse, {type},
                                  {any(type)});
  case 3:
    return build_.CreateIntrinsic(Intrinsic::abs, {type}, {any(type), build_.getInt1(random_.one_in(2))});
  case 4: {
    constexpr Intrinsic::ID overflows[] = {Intrinsic::uadd_with_overflow, Intrinsic::smul_with_overflow};
    Value* both = build_.CreateIntrinsic(random_.one_of(overflows), {type}, {any(type), any(type)});
    return build_.CreateExtractValue(both, random_.below(2));
  }
  default:
    return build_.CreateIntrinsic(random_.one_of(two), {type}, {any(type), any(type)});
  }
}

Value* Instructions::write_floating_call() {
  Type* type = odd_.floatings();
  constexpr Intrinsic::ID one[] = {Intrinsic::fabs, Intrinsic::sqrt,  Intrinsic::floor,
                                   Intrinsic::rint, Intrinsic::trunc, Intrinsic::canonicalize};
  constexpr Intrinsic::ID two[] = {Intrinsic::minnum, Intrinsic::maxnum, Intrinsic::copysign,
                                   Intrinsic::minimum};
  switch (random_.below(4)) {
  case 0:
    return build_.CreateIntrinsic(random_.one_in(2) ? Intrinsic::fma : Intrinsic::fmuladd, {type},
                                  {any(type), any(type), any(type)});
  case 1:
    return build_.CreateIntrinsic(random_.one_of(one), {type}, {any(type)});
  case 2: {
    Type* result = odd_.integer();
    if (auto* vector = dyn_cast<VectorType>(type))
      result = VectorType::get(result, vector->getElementCount());
    return build_.CreateIntrinsic(random_.one_in(2) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                  {result, type}, {any(type)});
  }
  default:
    return build_.CreateIntrinsic(random_.one_of(two), {type}, {any(type), any(type)});
  }
}

Value* Instructions::write_atomic() {
  constexpr AtomicOrdering orders[] = {AtomicOrdering::Monotonic, AtomicOrdering::Acquire,
                                       AtomicOrdering::AcquireRelease,
                                       AtomicOrdering::SequentiallyConsistent};
  Type* type = random_.one_in(3) ? build_.getInt64Ty() : build_.getInt32Ty();
  const AtomicOrdering order = random_.one_of(orders);
  if (random_.one_in(4)) {
    Value* both = build_.CreateAtomicCmpXchg(any_pointer(), any(type), any(type), MaybeAlign(), order,
                                             AtomicOrdering::Monotonic);
    return build_.CreateExtractValue(both, random_.below(2));
  }
  constexpr AtomicRMWInst::BinOp operations[] = {AtomicRMWInst::Add, AtomicRMWInst::Xchg, AtomicRMWInst::Or,
                                                 AtomicRMWInst::Max, AtomicRMWInst::UMin};
  if (random_.one_in(5)) {
    constexpr AtomicRMWInst::BinOp floating[] = {AtomicRMWInst::FAdd, AtomicRMWInst::FMin};
    return build_.CreateAtomicRMW(random_.one_of(floating), any_pointer(), any(build_.getFloatTy()),
                                  MaybeAlign(), order);
  }
  return build_.CreateAtomicRMW(random_.one_of(operations), any_pointer(), any(type), MaybeAlign(), order);
}

/// A fill or a copy of no bytes, of few, or of a number that is not known.
void Instructions::write_block_of_memory() {
  Value* bytes = random_.one_in(2) ? any(build_.getInt64Ty()) : build_.getInt64(random_.below(3) * 8);
  if (random_.one_in(2))
    build_.CreateMemSet(any_pointer(), any(build_.getInt8Ty()), bytes, MaybeAlign());
  else
    build_.CreateMemCpy(any_pointer(), MaybeAlign(), any_pointer(), MaybeAlign(), bytes);
}

void Instructions::write_synchronisation() {
  switch (random_.below(4)) {
  case 0:
    build_.CreateFence(AtomicOrdering::AcquireRelease);
    break;
  case 1:
    build_.CreateAssumption(any(build_.getInt1Ty()));
    break;
  default:
    build_.CreateCall(hostcl::compiler::declare_intrinsic(module_, hostcl::compiler::Intrinsic::barrier),
                      {build_.getInt32(1 + random_.below(3))});
  }
}

void Instructions::write_one() {
  using Write = Value* (Instructions::*)();
  constexpr Write values[] = {
      &Instructions::write_integers,     &Instructions::write_integers, &Instructions::write_floatings,
      &Instructions::write_comparison,   &Instructions::write_choice,   &Instructions::write_cast,
      &Instructions::write_element,      &Instructions::write_element,  &Instructions::write_shuffle,
      &Instructions::write_part,         &Instructions::write_address,  &Instructions::write_address,
      &Instructions::write_load,         &Instructions::write_load,     &Instructions::write_integer_call,
      &Instructions::write_floating_call};
  using Act = void (Instructions::*)();
  constexpr Act acts[] = {&Instructions::write_store, &Instructions::write_store, &Instructions::write_store,
                          &Instructions::write_block_of_memory, &Instructions::write_query};
  if (random_.one_in(20)) note(write_atomic());
  if (random_.one_in(30)) write_synchronisation();
  if (random_.one_in(4))
    (this->*random_.one_of(acts))();
  else
    note((this->*random_.one_of(values))());
}

} // namespace random_ir

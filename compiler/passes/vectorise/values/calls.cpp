// Calls: LLVM's vector intrinsics, the intrinsics of docs/kernel-ir.md, and calls that must run lane by lane.
// Tests: tests/passes/vectorise_calls.ll.

#include "compiler/heuristics.hpp"
#include "compiler/passes/intrinsics.hpp"
#include "compiler/passes/vectorise/emission.hpp"
#include "compiler/passes/vectorise/values/lane_array.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

enum class Form { dropped, once, vector, all_lanes, lane_by_lane };

/// A function of the driver with a form that takes many numbers: (arguments, results, count, ...).
constexpr StringRef of_huge_angle = "__hostcl_of_huge_angle", of_huge_angles = "__hostcl_of_huge_angles";

bool is_elementwise(llvm::Intrinsic::ID id) {
  return isTriviallyVectorizable(id) || id == llvm::Intrinsic::arithmetic_fence;
}

Form form_of(const Emission& e, const CallInst& call) {
  if (called_intrinsic(call)) return Form::once;
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  switch (id) {
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::experimental_noalias_scope_decl:
  case llvm::Intrinsic::invariant_start:
  case llvm::Intrinsic::invariant_end:
    return Form::dropped;
  default:
    break;
  }
  bool alike =
      llvm::all_of(call.args(), [&](const Value* argument) { return e.shape(argument).is_uniform(); });
  if (!call.getType()->isVoidTy() && !e.shape(&call).is_varying()) return Form::once;
  if (const auto* memory = dyn_cast<MemIntrinsic>(&call); memory && alike && !memory->isVolatile())
    return Form::once;
  if (is_elementwise(id) && !call.getType()->isStructTy()) return Form::vector;
  const Function* callee = call.getCalledFunction();
  if (is_on(Heuristic::huge_angles) && callee && callee->getName() == of_huge_angle &&
      e.shape(call.getArgOperand(1)).is_uniform())
    return Form::all_lanes;
  return Form::lane_by_lane;
}

/// Inactive lanes have any number as argument, and as result.
void emit_for_all_lanes(Emission& e, CallInst& call) {
  auto& build = e.build;
  LaneArray arguments(e, call.getType()), results(e, call.getType());
  arguments.set_all(e.vector(call.getArgOperand(0)));
  Type *pointer = build.getPtrTy(), *i32 = build.getInt32Ty();
  auto many =
      call.getModule()->getOrInsertFunction(of_huge_angles, build.getVoidTy(), pointer, pointer, i32, i32);
  Value* function = e.scalar(call.getArgOperand(1));
  auto* now =
      build.CreateCall(many, {arguments.address(), results.address(), build.getInt32(e.width), function});
  now->setDoesNotThrow();
  now->setOnlyAccessesArgMemory();
  e.set(&call, results.all());
}

} // namespace

void emit_vector_intrinsic(Emission& e, CallInst& call) {
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  SmallVector<Type*, 2> overloads;
  SmallVector<Value*, 4> arguments;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) overloads.push_back(e.wide(call.getType()));
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value* argument = call.getArgOperand(i);
    bool one = isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr);
    if (one && !e.shape(argument).is_uniform()) return emit_lane_by_lane(e, call);
    arguments.push_back(one ? e.scalar(argument) : e.vector(argument));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i), nullptr))
      overloads.push_back(arguments.back()->getType());
  }
  auto* now = e.build.CreateIntrinsic(id, overloads, arguments);
  if (isa<FPMathOperator>(now)) now->copyFastMathFlags(&call);
  e.set(&call, now);
}

bool is_masked_call(const Emission& e, const CallInst& call) {
  Form form = form_of(e, call);
  if (form == Form::once) return called_intrinsic(call) || isSafeToSpeculativelyExecute(&call);
  return form != Form::lane_by_lane;
}

void emit_call(Emission& e, CallInst& call) {
  switch (called_intrinsic(call).value_or(Intrinsic::lane_mask)) {
  case Intrinsic::sub_group:
    return emit_sub_group(e, call);
  case Intrinsic::sub_group_lane:
    return e.set(&call, e.build.getInt32(0));
  case Intrinsic::sub_group_width:
    return e.set(&call, e.build.getInt32(e.width));
  default:
    break;
  }
  switch (form_of(e, call)) {
  case Form::dropped:
    return;
  case Form::once:
    return emit_scalar(e, call);
  case Form::vector:
    return emit_vector_intrinsic(e, call);
  case Form::all_lanes:
    return emit_for_all_lanes(e, call);
  case Form::lane_by_lane:
    return emit_lane_by_lane(e, call);
  }
}

} // namespace hostcl::compiler

#include "compiler/passes/2_vector/values/calls.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/passes/1_kernel/lower_traps.hpp"
#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/lane_array.hpp"
#include "compiler/passes/2_vector/scalar_copies.hpp"
#include "compiler/passes/2_vector/values/sub_groups.hpp"
#include "compiler/passes/3_group/tree_reductions.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

enum class Form { dropped, once, vector, all_lanes, first_lane, lane_by_lane };

/// A function `one` of the driver that has a form `many` for all lanes: many(arguments, results, count, ...).
/// `arguments` is the array of the argument that is divergent, `results` the array of results (absent if the
/// function returns void); the uniform arguments follow.
struct ManyForm {
  StringRef one, many;
  unsigned divergent; ///< the argument that may be divergent
  bool has_effect;    ///< if so, inactive lanes get 0 as argument; otherwise any value
  Heuristic heuristic;
};
constexpr ManyForm many_forms[] = {
    {"__hostcl_of_huge_angle", "__hostcl_of_huge_angles", 0, false, Heuristic::huge_angles},
    {"__hostcl_pipe_reserve_write", "__hostcl_pipe_reserve_write_lanes", 1, true, Heuristic::pipe_lanes},
    {"__hostcl_pipe_reserve_read", "__hostcl_pipe_reserve_read_lanes", 1, true, Heuristic::pipe_lanes},
    {"__hostcl_pipe_commit_write", "__hostcl_pipe_commit_write_lanes", 1, true, Heuristic::pipe_lanes},
    {"__hostcl_pipe_commit_read", "__hostcl_pipe_commit_read_lanes", 1, true, Heuristic::pipe_lanes},
};

/// The form for the call, or null if there is none.
const ManyForm* many_form(const Emission& e, const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (!callee) return nullptr;
  const auto* form =
      llvm::find_if(many_forms, [&](const ManyForm& form) { return form.one == callee->getName(); });
  if (form == std::end(many_forms) || !e.switches.is_on(form->heuristic)) return nullptr;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (i != form->divergent && !e.shape(call.getArgOperand(i)).is_uniform()) return nullptr;
  return form;
}

bool is_elementwise(llvm::Intrinsic::ID id) {
  return isTriviallyVectorizable(id) || id == llvm::Intrinsic::arithmetic_fence;
}

Form form_of(const Emission& e, const CallInst& call) {
  if (called_intrinsic(call)) return Form::once;
  if (is_trap_call(call) || is_tree_reduction_call(call)) return Form::first_lane;
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
  bool uniform =
      llvm::all_of(call.args(), [&](const Value* argument) { return e.shape(argument).is_uniform(); });
  if (!call.getType()->isVoidTy() && !e.shape(&call).is_varying()) return Form::once;
  if (const auto* memory = dyn_cast<MemIntrinsic>(&call); memory && uniform && !memory->isVolatile())
    return Form::once;
  if (is_elementwise(id) && !call.getType()->isStructTy()) return Form::vector;
  return many_form(e, call) ? Form::all_lanes : Form::lane_by_lane;
}

void emit_for_all_lanes(Emission& e, CallInst& call) {
  auto& build = e.build;
  const ManyForm& form = *many_form(e, call);
  note_change(form.heuristic);
  Value* divergent = call.getArgOperand(form.divergent);
  Value* values = e.vector(divergent);
  if (form.has_effect) values = build.CreateSelect(e.mask, values, Constant::getNullValue(values->getType()));
  LaneArray arguments(e, divergent->getType());
  arguments.set_all(values);
  SmallVector<Value*, 4> operands{arguments.address()};
  std::optional<LaneArray> results;
  if (!call.getType()->isVoidTy()) operands.push_back(results.emplace(e, call.getType()).address());
  operands.push_back(build.getInt32(e.width));
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (i != form.divergent) operands.push_back(e.scalar(call.getArgOperand(i)));
  SmallVector<Type*, 4> types;
  for (const Value* operand : operands)
    types.push_back(operand->getType());
  auto many =
      call.getModule()->getOrInsertFunction(form.many, FunctionType::get(build.getVoidTy(), types, false));
  auto* now = build.CreateCall(many, operands);
  now->setDoesNotThrow();
  if (!form.has_effect) now->setOnlyAccessesArgMemory();
  if (results) e.set(&call, results->all());
}

/// Writes a call for the first active lane only: a call that does not return, or one that a single lane makes for all.
void emit_for_first_lane(Emission& e, CallInst& call) {
  auto& build = e.build;
  Value* lane = build.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, e.mask_bits(e.mask), build.getTrue());
  lane = build.CreateZExtOrTrunc(lane, build.getInt32Ty());
  Instruction* copy = call.clone();
  for (Use& operand : copy->operands())
    operand = e.shape(operand).is_uniform() ? e.scalar(operand)
                                            : e.extract_lane(e.vector(operand), lane, operand->getType());
  build.Insert(copy);
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
  if (form == Form::all_lanes) return !many_form(e, call)->has_effect;
  return form != Form::lane_by_lane && form != Form::first_lane;
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
  case Form::first_lane:
    return emit_for_first_lane(e, call);
  case Form::lane_by_lane:
    return emit_lane_by_lane(e, call);
  }
}

} // namespace hostcl::compiler

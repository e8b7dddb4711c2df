// Calls for values/instructions.hpp: LLVM's vector intrinsics, functions of the driver that take all lanes at once, and
// calls that only the first active lane makes, such as a trap (passes/1_kernel/lower_traps.hpp).
//
// Gains of one call for all lanes over one call for each lane. Reserving and committing packets of pipes (pipe_lanes):
// on a Xeon with AVX-512, `pipe` of bench/ is 8 times and `pipe_filter` 4.4 times as fast; on 2 cores of an AMD EPYC,
// `pipe` is 5 times as fast.
//
// Tests: tests/passes/2_vector/vectorise_calls.ll.

#include "compiler/passes/2_vector/values/instructions.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/maths_instructions.hpp"
#include "compiler/passes/2_vector/atomics/reductions.hpp"
#include "compiler/passes/2_vector/emission.hpp"
#include "compiler/passes/2_vector/lane_array.hpp"

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace hostcl::compiler {

using namespace llvm;
using HostclIntrinsic = hostcl::compiler::Intrinsic;

void emit_for_all_lanes(Emission& e, CallInst& call) {
  auto& build = e.build;
  const ManyForm& form = *many_form(call);
  note_change(Heuristic::pipe_lanes);
  Value* divergent = call.getArgOperand(form.divergent);
  Value* values = e.vector(divergent);
  values = build.CreateSelect(e.mask, values, Constant::getNullValue(values->getType()));
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
  if (results) e.set(&call, results->all());
}

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

namespace {

/// Bits that differ between the lanes stay in a vector, which is reduced once, at the end of a range of work-groups.
void emit_mark(Emission& e, CallInst& call) {
  auto& build = e.build;
  Value *bits = call.getArgOperand(1), *marked = nullptr;
  if (e.shape(bits).is_uniform()) {
    Value* any = build.CreateIsNotNull(e.mask_bits(e.mask));
    marked = build.CreateSelect(any, e.scalar(bits), build.getInt64(0));
  } else {
    const auto* extension = dyn_cast<ZExtInst>(bits); // of narrow bits
    marked = only_active(e, RecurKind::Or, e.vector(extension ? extension->getOperand(0) : bits));
  }
  build.CreateCall(
      declare_coverage_intrinsic(*call.getModule(), HostclIntrinsic::coverage_mark, marked->getType()),
      {call.getArgOperand(0), marked});
}

} // namespace

void emit_count(Emission& e, CallInst& call) {
  if (is_call_of(call, HostclIntrinsic::coverage_mark)) return emit_mark(e, call);
  auto& build = e.build;
  const auto lanes_of = [&](Value* mask) {
    return build.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop,
                                      build.CreateZExt(e.mask_bits(mask), build.getInt64Ty()));
  };
  Value* step = call.getArgOperand(1);
  const auto* extension = dyn_cast<ZExtInst>(step);
  Value* all = nullptr;
  if (e.shape(step).is_uniform())
    all = build.CreateMul(lanes_of(e.mask), e.scalar(step));
  else if (extension && extension->getSrcTy()->isIntegerTy(1)) // of a condition
    all = lanes_of(e.where(e.mask, e.vector(extension->getOperand(0))));
  else
    all = reduce_lanes(e, RecurKind::Add, only_active(e, RecurKind::Add, e.vector(step)));
  build.CreateCall(call.getCalledFunction(), {call.getArgOperand(0), all});
}

namespace {

void emit_maths_instruction(Emission& e, CallInst& call, MathsInstruction instruction) {
  SmallVector<Value*, 3> arguments;
  for (const auto& [i, argument] : enumerate(call.args()))
    arguments.push_back(is_scalar_operand(instruction, i) ? e.scalar(argument) : e.vector(argument));
  Function* wide = declare_maths_instruction(instruction, *call.getCalledFunction(), e.wide(call.getType()));
  CallInst* now = e.build.CreateCall(wide, arguments);
  now->setCallingConv(wide->getCallingConv());
  e.set(&call, now);
}

} // namespace

void emit_vector_intrinsic(Emission& e, CallInst& call) {
  if (const auto instruction = called_maths_instruction(call))
    return emit_maths_instruction(e, call, *instruction);
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  SmallVector<Type*, 2> overloads;
  SmallVector<Value*, 4> arguments;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) overloads.push_back(e.wide(call.getType()));
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Value* argument = call.getArgOperand(i);
    const bool one = isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr);
    arguments.push_back(one ? e.scalar(argument) : e.vector(argument));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i), nullptr))
      overloads.push_back(arguments.back()->getType());
  }
  auto* now = e.build.CreateIntrinsic(id, overloads, arguments);
  if (isa<FPMathOperator>(now)) now->copyFastMathFlags(&call);
  e.set(&call, now);
}

} // namespace hostcl::compiler
